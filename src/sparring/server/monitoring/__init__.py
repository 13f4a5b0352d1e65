"""Load: `Overload` refuses newcomers, and `check_site` asks the site as browsers do."""
