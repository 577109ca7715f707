package dev.bluebell.roce.packet;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A packet as a value, for people and tests: immutable, and equal if all bits are equal. Its text
 * has every field, so that the packet can be written again from it bit for bit:
 *
 * <pre>
 * packet {
 *   eth dst=52:54:00:77:00:02 src=52:54:00:77:00:01 type=0x0800
 *   …
 *   bth opcode=RC_SEND_ONLY se=0 … psn=0x000064
 *   payload 68656c6c6f
 *   pad 000000
 *   icrc 93544b0a
 * }
 * </pre>
 *
 * @param layers the headers, the outermost first
 * @param payload in hexadecimal; for a packet other than RoCE, all bytes behind the last header
 * @param pad in hexadecimal
 * @param icrc in hexadecimal, as the bytes are on the wire
 * @param trailer bytes that the link added, in hexadecimal: Ethernet's padding, or InfiniBand's
 *     VCRC
 */
public record Packet(List<Layer> layers, String payload, String pad, String icrc, String trailer) {
  private static final int LINE_DIGITS = 64;

  /** Maximum length of a text in characters. */
  private static final int MAX_TEXT = 1 << 20;

  /** Takes a copy of the layers. */
  public Packet {
    layers = List.copyOf(layers);
  }

  /** Returns the packet of a view as a value, whether or not the view found a problem. */
  public static Packet of(PacketView view) {
    ByteBuffer buffer = view.buffer();
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < view.headers(); i++) {
      layers.add(Layer.of(view.header(i), buffer, view.headerAt(i)));
    }
    if (view.problem() != Problem.NONE) {
      return new Packet(layers, hex(view, view.payloadAt(), view.limit()), "", "", "");
    }
    int padAt = view.payloadAt() + view.payloadBytes();
    return new Packet(
        layers,
        hex(view, view.payloadAt(), padAt),
        hex(view, padAt, view.icrcAt()),
        hex(view, view.icrcAt(), view.end()),
        hex(view, view.end(), view.limit()));
  }

  /** The captured part of a range, in hexadecimal. */
  private static String hex(PacketView view, int from, int to) {
    int end = Math.min(to, view.limit());
    if (end <= from) {
      return "";
    }
    byte[] bytes = new byte[end - from];
    view.buffer().get(from, bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The bytes of the packet. */
  public byte[] bytes() {
    byte[] rest = HexFormat.of().parseHex(payload + pad + icrc + trailer);
    int headers = layers.stream().mapToInt(layer -> layer.header().bytes()).sum();
    ByteBuffer buffer = ByteBuffer.allocate(headers + rest.length);
    int at = 0;
    for (Layer layer : layers) {
      layer.put(buffer, at);
      at += layer.header().bytes();
    }
    return buffer.put(at, rest).array();
  }

  /** Its text, which {@link #parse} reads. */
  public String text() {
    StringBuilder text = new StringBuilder("packet {\n");
    layers.forEach(layer -> text.append("  ").append(layer).append('\n'));
    append(text, "payload", payload);
    append(text, "pad", pad);
    append(text, "icrc", icrc);
    append(text, "trailer", trailer);
    return text.append("}\n").toString();
  }

  private static void append(StringBuilder text, String keyword, String hex) {
    for (int at = 0; at < hex.length(); at += LINE_DIGITS) {
      text.append("  ")
          .append(keyword)
          .append(' ')
          .append(hex, at, Math.min(at + LINE_DIGITS, hex.length()))
          .append('\n');
    }
  }

  /**
   * Reads a packet from its text. Omitted fields are 0; {@code #} starts a comment.
   *
   * @throws IllegalArgumentException when the text is not that of a packet; the message names the
   *     line
   */
  public static Packet parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "this packet has more than %d characters: no packet needs that many".formatted(MAX_TEXT));
    }
    return new Parser().parse(text);
  }

  private static final class Parser {
    private static final List<String> CHUNKS = List.of("payload", "pad", "icrc", "trailer");

    private final List<Layer> layers = new ArrayList<>();
    private final List<StringBuilder> chunks =
        CHUNKS.stream().map(chunk -> new StringBuilder()).toList();
    private int chunk = -1;
    private boolean open;
    private boolean closed;

    Packet parse(String text) {
      String[] lines = text.split("\\R");
      for (int i = 0; i < lines.length; i++) {
        String line = lines[i].replaceFirst("#.*", "").strip();
        if (!line.isEmpty()) {
          try {
            line(line);
          } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("line %d: %s".formatted(i + 1, e.getMessage()), e);
          }
        }
      }
      if (!closed) {
        throw new IllegalArgumentException("the packet has no end: close it with '}'");
      }
      return new Packet(
          layers,
          chunks.get(0).toString(),
          chunks.get(1).toString(),
          chunks.get(2).toString(),
          chunks.get(3).toString());
    }

    private void line(String line) {
      if (!open) {
        open = line.matches("packet\\s*\\{");
        if (!open) {
          throw new IllegalArgumentException("a packet begins with 'packet {'");
        }
        return;
      }
      if (closed) {
        throw new IllegalArgumentException(
            "'%s' is after the end of the packet".formatted(Layer.clip(line)));
      }
      if (line.equals("}")) {
        closed = true;
        return;
      }
      List<String> words = Arrays.asList(line.split("\\s+"));
      List<String> values = words.subList(1, words.size());
      int which = CHUNKS.indexOf(words.getFirst());
      if (which < 0) {
        header(words.getFirst(), values);
      } else if (which < chunk) {
        throw new IllegalArgumentException(
            "%s comes before %s: the order is payload, pad, icrc, trailer"
                .formatted(words.getFirst(), CHUNKS.get(chunk)));
      } else {
        chunk = which;
        String hex = String.join("", values);
        byte[] unused = HexFormat.of().parseHex(hex);
        chunks.get(which).append(hex);
      }
    }

    private void header(String name, List<String> values) {
      if (chunk >= 0) {
        throw new IllegalArgumentException(
            "%s is after the %s: headers come before it"
                .formatted(Layer.clip(name), CHUNKS.get(chunk)));
      }
      Header header =
          Headers.of(name)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "no header is called '%s'; the headers are %s"
                              .formatted(
                                  Layer.clip(name),
                                  Headers.ALL.stream()
                                      .map(Header::name)
                                      .collect(Collectors.joining(", ")))));
      layers.add(Layer.parse(header, values));
    }
  }
}
