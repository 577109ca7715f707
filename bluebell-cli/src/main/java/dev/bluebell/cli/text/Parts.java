package dev.bluebell.cli.text;

import dev.bluebell.cli.paste.FailedRequest;
import dev.bluebell.cli.paste.Report;
import dev.bluebell.hca.cqe.Syndrome;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The parts of a pasted text, grouped by failure. A log repeats a failure in many lines, and often
 * shows it twice, in a line and with the bytes of the completion: each failure is explained once,
 * with the numbers of the other lines.
 */
final class Parts {
  private static final int MOST_LINES = 10;

  /** UCX names a request right below the line about its failure. */
  private static final int FARTHEST_REQUEST = 3;

  private final List<Part> all;
  private final Map<Object, List<Part>> groups = new LinkedHashMap<>();
  private final Map<Object, Part> explained = new HashMap<>();
  private final Map<Object, List<FailedRequest>> requests = new HashMap<>();

  /** The first finding with a vendor code of each syndrome. */
  private final Map<Integer, Finding> coded = new HashMap<>();

  /** The first part that shows a completion. */
  private final Map<ByteBuffer, Part> completions = new HashMap<>();

  private final boolean isSeveral;

  /**
   * @param all in the order of the text
   */
  Parts(List<Part> all) {
    this.all = List.copyOf(all);
    isSeveral = all.stream().map(Part::piece).distinct().limit(2).count() > 1;
    for (Part part : all) {
      part.finding()
          .filter(Finding::hasVendorCode)
          .ifPresent(found -> coded.putIfAbsent(found.syndrome(), found));
    }
    Part report = null;
    for (Part part : all) {
      report = part.piece() instanceof Report ? part : report;
      if (part.piece() instanceof FailedRequest request
          && report != null
          && request.line() - report.line() <= FARTHEST_REQUEST) {
        requests.computeIfAbsent(subject(report), _ -> new ArrayList<>()).add(request);
        continue;
      }
      groups.computeIfAbsent(subject(part), _ -> new ArrayList<>()).add(part);
      if (part.entry() instanceof Decoded decoded && part.finding().isPresent()) {
        completions.putIfAbsent(ByteBuffer.wrap(decoded.bytes()), part);
      }
    }
    groups.forEach((subject, group) -> explained.put(subject, mostTelling(group)));
  }

  /** The parts in the order of the text. */
  List<Part> all() {
    return all;
  }

  /** True if the text has more than one piece, so that line numbers are of use. */
  boolean isSeveral() {
    return isSeveral;
  }

  /** What a part is about; a line without a vendor code is about the first failure that has one. */
  private Object subject(Part part) {
    Optional<Finding> finding = part.finding();
    if (finding.isEmpty()) {
      return part.entry() == null ? part.piece().subject() : part;
    }
    return finding.get().hasVendorCode()
        ? finding.get()
        : coded.getOrDefault(finding.get().syndrome(), finding.get());
  }

  /** The part of a group that stands for its failure: a completion, or the line that says most. */
  private static Part mostTelling(List<Part> group) {
    return group.stream()
        .filter(part -> !part.isOnlyALine())
        .findFirst()
        .or(
            () ->
                group.stream()
                    .filter(part -> part.finding().filter(Finding::hasVendorCode).isPresent())
                    .findFirst())
        .orElse(group.getFirst());
  }

  /** True if the failure of a part is explained at this part. */
  boolean isExplained(Part part) {
    return part.equals(explained.get(subject(part)));
  }

  /** Line of the part that explains the failure of this one. */
  int explainedIn(Part part) {
    return explained.getOrDefault(subject(part), part).line();
  }

  /** True if an earlier dump shows the same completion. */
  boolean isRepeated(Part part) {
    return part.entry() instanceof Decoded decoded
        && completions.get(ByteBuffer.wrap(decoded.bytes())) instanceof Part first
        && !first.piece().equals(part.piece());
  }

  /** The lines that repeat the failure of a part, and are not shown on their own. */
  BitSet repetitions(Part part) {
    return groups.getOrDefault(subject(part), List.of()).stream()
        .filter(other -> !other.equals(part) && (other.isOnlyALine() || isRepeated(other)))
        .mapToInt(Part::line)
        .filter(line -> line != part.line())
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }

  /** The requests with the failure of a part, as UCX names them. */
  List<FailedRequest> requests(Part part) {
    return requests.getOrDefault(subject(part), List.of());
  }

  /** Which failure of several came first; empty if there are not several. */
  Optional<String> order() {
    List<Part> failed = all.stream().filter(part -> part.finding().isPresent()).toList();
    if (failed.stream().map(this::subject).distinct().limit(2).count() < 2) {
      return Optional.empty();
    }
    Part first =
        failed.stream().filter(part -> !isFlushed(part)).findFirst().orElse(failed.getFirst());
    String flushed =
        failed.stream().anyMatch(Parts::isFlushed)
            ? " Flushed requests (WR_FLUSH_ERR) are consequences of another failure."
            : "";
    return first
        .finding()
        .map(
            found ->
                "The first failure in this text is %s, in line %d.%s"
                    .formatted(Syndrome.name(found.syndrome()), first.line(), flushed));
  }

  private static boolean isFlushed(Part part) {
    return part.finding().filter(found -> found.syndrome() == Syndrome.WR_FLUSH_ERR).isPresent();
  }

  /** Numbers of lines as text, of which only the first ones are listed. */
  static String lines(BitSet lines) {
    int count = lines.cardinality();
    return "line%s %s%s"
        .formatted(
            count == 1 ? "" : "s",
            lines.stream()
                .limit(MOST_LINES)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(", ")),
            count > MOST_LINES ? " and %d more".formatted(count - MOST_LINES) : "");
  }
}
