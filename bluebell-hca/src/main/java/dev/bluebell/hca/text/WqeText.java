package dev.bluebell.hca.text;

import dev.bluebell.hca.text.Line.Item;
import dev.bluebell.hca.wqe.ServiceType;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Send work queue entries as text, see {@link Block} for the form.
 *
 * <p>One line for each segment, named after its structure: {@code ctrl}, {@code raddr}, {@code
 * data}, {@code inline} with lines of {@code bytes}, {@code atomic}, {@code umr} …; {@code raw} is
 * a part of the entry without a layout, {@code rest} are the bytes behind the {@code ds} units of
 * the entry. Names are those of {@code mlx5dv.h} and {@code wqe.h}. Bits that no field names appear
 * as {@code +OFFSET=DWORD}, so any bytes can be disassembled and assembled again without loss.
 *
 * <p>Handwritten text may omit fields: they become 0, but {@code ds} and an inline length are
 * computed. Segments may come in any order.
 */
public final class WqeText {
  private static final Set<String> DATA = Set.of("data", "inline");
  private static final Set<String> LEFT_OUT =
      Set.of("", "ctrl", "bytes", "padding", "raw", "rest", "mkc", "klm", "repeat", "repeat_ent");

  private WqeText() {}

  /** Describes an entry of a queue without addressing (RC); any bytes are accepted. */
  public static String disassemble(byte[] wqe) {
    return disassemble(wqe, ServiceType.RC);
  }

  /** Describes an entry of a queue of the given type; any bytes are accepted. */
  public static String disassemble(byte[] wqe, ServiceType type) {
    return WqeDisassembler.block(wqe, type).toString();
  }

  /**
   * The bytes that a text describes, {@code rest} included.
   *
   * @throws IllegalArgumentException when the text is invalid; the message names the line and what
   *     was expected there
   */
  public static byte[] assemble(String text) {
    return EntryAssembler.assemble(Block.parse(text).expectKind("wqe"));
  }

  /** One line about an entry of a queue without addressing (RC); any bytes are accepted. */
  public static String summary(byte[] wqe) {
    return summary(wqe, ServiceType.RC);
  }

  /**
   * One line about an entry of a queue of the given type, such as {@code RDMA_WRITE index=0
   * qpn=0x0a1b01 ds=3 ce=always, raddr address=0x0000123456789abc rkey=0x00c0ffee, 64 bytes in 1
   * segment}; any bytes are accepted.
   */
  public static String summary(byte[] wqe, ServiceType type) {
    List<Line> lines = WqeDisassembler.block(wqe, type).lines();
    if (lines.isEmpty() || !lines.getFirst().keyword().equals("ctrl")) {
      return "not an entry: %d bytes".formatted(wqe.length);
    }
    StringJoiner summary = new StringJoiner(", ");
    summary.add(control(lines.getFirst()));
    long bytes = 0;
    int segments = 0;
    for (Line line : lines) {
      if (DATA.contains(line.keyword())) {
        segments++;
        bytes += Long.parseLong(line.value("byte_count").or(() -> line.value("length")).get());
      } else if (!LEFT_OUT.contains(line.keyword())) {
        summary.add(line.toString());
      }
    }
    if (segments > 0) {
      summary.add("%d bytes in %s".formatted(bytes, Counted.of(segments, "segment")));
    }
    return summary.toString();
  }

  private static String control(Line line) {
    StringJoiner text = new StringJoiner(" ");
    for (Item item : line.items()) {
      text.add(item.name().equals("opcode") ? item.value() : item.toString());
    }
    return text.toString();
  }
}
