package dev.bluebell.cli.device;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.hca.Hca;
import dev.bluebell.softnic.option.Profile;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The differences between a device and the profile of a card.
 *
 * @param profile name of the profile
 * @param compared number of values compared: the part, and the capabilities that the profile has
 *     for the device's link layer
 * @param rows the values that differ
 */
record ProfileDiff(String profile, int compared, List<Row> rows) {
  /**
   * A capability.
   *
   * @param card value in the profile
   * @param device value of the device
   * @param source source of the profile's value
   */
  record Row(String capability, String card, String device, String source) {}

  static ProfileDiff of(Profile profile, Hca hca) {
    Map<String, Long> numbers = CapabilityDump.of(hca).numbers();
    List<Profile.Claim> claims = profile.claims(hca.queryPort(1).linkLayer());
    List<Row> rows = new ArrayList<>();
    if (profile.identity().part() != hca.identity().part()) {
      rows.add(
          new Row(
              "part",
              "%d".formatted(profile.identity().part()),
              "%d".formatted(hca.identity().part()),
              "Linux mlx5_core main.c"));
    }
    for (Profile.Claim claim : claims) {
      Long own = numbers.get(claim.field());
      if (own == null || own != claim.value()) {
        rows.add(
            new Row(
                claim.field(),
                Long.toString(claim.value()),
                own == null ? "refused" : Long.toString(own),
                claim.source()));
      }
    }
    return new ProfileDiff(profile.name(), claims.size() + 1, List.copyOf(rows));
  }

  void print(String device, PrintWriter out) {
    out.println(
        "%s differs from the profile %s in %d of %d values%s"
            .formatted(device, profile, rows.size(), compared, rows.isEmpty() ? "." : ":"));
    if (!rows.isEmpty()) {
      out.println();
      out.println("%-44s %10s %10s  %s".formatted("capability", "profile", "device", "source"));
    }
    for (Row row : rows) {
      out.println(
          "%-44s %10s %10s  %s"
              .formatted(row.capability(), row.card(), row.device(), row.source()));
    }
    out.flush();
  }

  ObjectNode toJson(String device) {
    ObjectNode object =
        JsonLines.object().put("device", device).put("profile", profile).put("compared", compared);
    ArrayNode list = object.putArray("differences");
    rows.forEach(
        row ->
            list.addObject()
                .put("capability", row.capability())
                .put("profile", row.card())
                .put("device", row.device())
                .put("source", row.source()));
    return object;
  }
}
