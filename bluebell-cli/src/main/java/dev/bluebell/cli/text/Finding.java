package dev.bluebell.cli.text;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Wrap;
import dev.bluebell.cli.paste.Report;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.ErrorCqe;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.cqe.VendorError;
import dev.bluebell.report.guide.Cause;
import dev.bluebell.report.guide.Guide;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The meaning of a request's failure.
 *
 * @param syndrome 0 … 255
 * @param vendorCode 0 … 255; {@link Report#NO_VENDOR_CODE} when it is not known
 */
record Finding(int syndrome, int vendorCode) {
  private static final String INDENT = "# ";
  private static final String DEEPER = "#    ";
  private static final int WIDTH = 90;

  /** The failure that a completion reports; empty if it reports none. */
  static Optional<Finding> of(byte[] cqe) {
    int base = cqe.length - Cqe.BYTES;
    if (cqe.length != Cqe.BYTES && cqe.length != Cqe.BYTES_128) {
      return Optional.empty();
    }
    int opcode = (int) Cqe.OPCODE.get(cqe, base);
    return opcode == CqeOpcode.REQ_ERR || opcode == CqeOpcode.RESP_ERR
        ? Optional.of(
            new Finding(
                (int) ErrorCqe.SYNDROME.get(cqe, base),
                (int) ErrorCqe.VENDOR_ERR_SYND.get(cqe, base)))
        : Optional.empty();
  }

  static Finding of(Report report) {
    return new Finding(report.syndrome(), report.vendorCode());
  }

  boolean hasVendorCode() {
    return vendorCode != Report.NO_VENDOR_CODE;
  }

  private String vendor() {
    return !hasVendorCode() ? "" : VendorError.explain(syndrome, vendorCode);
  }

  /** The syndrome by name. */
  String name() {
    return Syndrome.name(syndrome);
  }

  /** Lines of comments, which {@code bluebell encode} accepts in its input. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    Optional<Guide> guide = Guide.of(syndrome);
    add(
        lines,
        INDENT,
        "%s (0x%02x): %s"
            .formatted(
                guide.isPresent() ? Syndrome.name(syndrome) : "syndrome",
                syndrome,
                guide.map(Guide::meaning).orElse("No public header names this syndrome.")));
    if (!vendor().isEmpty()) {
      add(lines, INDENT, vendor());
    }
    guide.ifPresent(known -> addCauses(lines, known));
    return lines;
  }

  private static void addCauses(List<String> lines, Guide guide) {
    add(lines, INDENT, "Likeliest causes:");
    int number = 1;
    for (Cause cause : guide.causesOnACard()) {
      add(lines, DEEPER, "%d. %s (%s)".formatted(number++, cause.what(), cause.file()));
    }
    add(lines, INDENT, "What to check next: " + guide.next());
    add(lines, INDENT, "More: " + guide.page());
  }

  private static void add(List<String> lines, String indent, String text) {
    Wrap.wrap(text, indent, WIDTH).lines().forEach(lines::add);
  }

  /** The same as a JSON object. */
  ObjectNode json() {
    ObjectNode object =
        JsonLines.object().put("syndrome", syndrome).put("syndrome_name", Syndrome.name(syndrome));
    if (hasVendorCode()) {
      object
          .put("vendor_code", vendorCode)
          .put("vendor_code_known", VendorError.isKnown(syndrome, vendorCode))
          .put("vendor", vendor());
    }
    Guide.of(syndrome)
        .ifPresent(
            guide -> {
              object.put("meaning", guide.meaning());
              ArrayNode causes = object.putArray("causes");
              for (Cause cause : guide.causesOnACard()) {
                causes.addObject().put("cause", cause.what()).put("page", cause.file());
              }
              object.put("next", guide.next()).put("page", guide.page());
            });
    return object;
  }
}
