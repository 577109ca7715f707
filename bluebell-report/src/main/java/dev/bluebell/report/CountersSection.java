package dev.bluebell.report;

import dev.bluebell.hca.counter.PortCounter;

/** The counters of a device that are not 0, with their increase. */
final class CountersSection {
  private CountersSection() {}

  static Html of(ReportedDevice device) {
    Html html = new Html();
    if (device.after().isEmpty()) {
      return html.add("<p>The counters of %s are not known.</p>", device.name());
    }
    html.add(
        "<table class=\"counters\"><caption>%s</caption><tr><th>counter</th><th>rose"
            + " by</th><th>now</th></tr>",
        device.name());
    device
        .after()
        .forEach(
            (counter, now) -> {
              if (now != 0) {
                add(html, counter, device.before().getOrDefault(counter, 0L), now);
              }
            });
    return html.add("</table>");
  }

  private static void add(Html html, PortCounter counter, long before, long now) {
    html.add(
        "<tr><td>%s</td><td>%s</td><td>%s</td></tr>",
        counter.fileName(),
        Long.toUnsignedString(counter.rise(before, now)),
        Long.toUnsignedString(now));
  }
}
