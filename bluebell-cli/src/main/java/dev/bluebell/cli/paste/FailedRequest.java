package dev.bluebell.cli.paste;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of UCX's log with the fields of a request that failed, {@code ib_mlx5_log.c}.
 *
 * @param line its number, from 1
 * @param service of the queue pair, such as {@code RC}
 * @param qpn number of the queue pair
 * @param index of the WQE, as its completion names it
 * @param opcode name of the operation
 * @param flags of the request, such as {@code signaled}
 * @param parts of the WQE, each with its fields, such as {@code remote address 0x0, rkey 0x0}
 */
public record FailedRequest(
    int line,
    String service,
    int qpn,
    int index,
    String opcode,
    List<String> flags,
    List<String> parts)
    implements Piece {
  private static final Pattern FORM =
      Pattern.compile(
          "\\b([A-Z]{2,4}) QP 0x([0-9a-f]{1,6}) wqe\\[(\\d{1,5})]: ([A-Z][A-Z0-9_]{1,30})\\b"
              + "(?: ([s-][f-][e-])(?= |$))?(.*)");

  private static final Pattern PART = Pattern.compile("\\[([^]]{1,400})]");

  /** Descriptions of UCX's field names. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("rva", "remote address"),
          Map.entry("rkey", "rkey"),
          Map.entry("va", "local address"),
          Map.entry("len", "length"),
          Map.entry("lkey", "lkey"),
          Map.entry("rqpn", "remote QP"),
          Map.entry("rlid", "remote LID"),
          Map.entry("dlid", "remote LID"),
          Map.entry("dgid", "remote GID"),
          Map.entry("inl", "inline"),
          Map.entry("sl", "service level"),
          Map.entry("src_path_bits", "source path bits"),
          Map.entry("cmp", "compare"));

  /** The letters of UCX for flags; a hyphen stands for a flag that is not set. */
  private static final Map<Character, String> FLAGS =
      Map.of('s', "signaled", 'f', "fenced", 'e', "solicited");

  /** Makes the lists unmodifiable. */
  public FailedRequest {
    flags = List.copyOf(flags);
    parts = List.copyOf(parts);
  }

  /** The failed request in a line. */
  static Optional<FailedRequest> in(int number, String line) {
    Matcher matcher = FORM.matcher(line);
    if (!matcher.find()) {
      return Optional.empty();
    }
    List<String> parts = new ArrayList<>();
    Matcher part = PART.matcher(matcher.group(6));
    while (part.find()) {
      parts.add(fields(part.group(1).split("[ =]+")));
    }
    return Optional.of(
        new FailedRequest(
            number,
            matcher.group(1),
            Integer.parseInt(matcher.group(2), 16),
            Integer.parseInt(matcher.group(3)),
            matcher.group(4),
            flags(Objects.requireNonNullElse(matcher.group(5), "")),
            parts));
  }

  private static List<String> flags(String letters) {
    return letters
        .chars()
        .mapToObj(letter -> FLAGS.get((char) letter))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Pairs of names and values as text; a word without a value is kept as it is. */
  private static String fields(String... words) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < words.length; i++) {
      String name = FIELDS.getOrDefault(words[i], words[i]);
      boolean hasValue = i + 1 < words.length && words[i + 1].matches("[0-9].*|[0-9a-f:.]*:.*");
      fields.add(hasValue ? name + " " + words[++i] : name);
    }
    return String.join(", ", fields);
  }

  /** The request in one sentence. */
  public String sentence() {
    String request =
        "WQE %d of QP 0x%x (%s), %s%s"
            .formatted(
                index,
                qpn,
                service,
                opcode,
                flags.isEmpty() ? "" : " (%s)".formatted(String.join(", ", flags)));
    return parts.isEmpty() ? request : request + ": " + String.join("; ", parts);
  }
}
