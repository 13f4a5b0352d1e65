// Show times in the visitor's time zone; without scripts they are in UTC.

const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });
for (const time of document.querySelectorAll("time[datetime]")) time.textContent = words.format(new Date(time.dateTime));
