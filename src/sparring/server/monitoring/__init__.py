"""Load: `Overload` refuses newcomers, `RequestMeter` measures, and `check_site` asks the site as browsers do."""
