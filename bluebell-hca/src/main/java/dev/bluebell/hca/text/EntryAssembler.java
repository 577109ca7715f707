package dev.bluebell.hca.text;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** Assembles a queue entry from text, line by line. */
final class EntryAssembler {
  private static final int UNIT = ControlSegment.BYTES;

  private final List<Line> lines;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private int next;

  private EntryAssembler(List<Line> lines) {
    this.lines = lines;
  }

  static byte[] assemble(Block block) {
    return new EntryAssembler(block.lines()).entry();
  }

  private byte[] entry() {
    Line control = null;
    int controlAt = 0;
    int end = -1;
    while (next < lines.size()) {
      Line line = lines.get(next++);
      if (line.keyword().equals("ctrl")) {
        if (control != null) {
          throw line.error("an entry has only one control segment");
        }
        control = line;
        controlAt = bytes.size();
      }
      if (line.keyword().equals("rest") && end < 0) {
        end = bytes.size();
      }
      append(line);
      if (bytes.size() > Text.MAX_BYTES) {
        throw line.error("the entry has more than %d bytes", Text.MAX_BYTES);
      }
    }
    byte[] entry = bytes.toByteArray();
    if (control != null && control.value("ds").isEmpty()) {
      setDs(control, entry, controlAt, end < 0 ? entry.length : end);
    }
    return entry;
  }

  private static void setDs(Line control, byte[] entry, int from, int to) {
    int ds = (to - from + UNIT - 1) / UNIT;
    if (ds > ControlSegment.MAX_DS) {
      throw control.error(
          "the entry has %d units of %d bytes, but ds counts at most %d",
          ds, UNIT, ControlSegment.MAX_DS);
    }
    ControlSegment.DS.set(entry, from, ControlSegment.DS.get(entry, from) | ds);
  }

  private void append(Line line) {
    switch (line.keyword()) {
      case "raw", "rest" -> bytes.writeBytes(HexLines.parse(line));
      case "inline" -> inline(line);
      case "end" -> end(line);
      default -> {
        Layout layout = Segments.of(line);
        line.expectNoWords();
        bytes.writeBytes(fields(layout, line));
      }
    }
  }

  private static byte[] fields(Layout layout, Line line) {
    FieldWriter writer = new FieldWriter(layout);
    writer.setAll(line);
    return writer.bytes();
  }

  private void end(Line line) {
    line.expectNoWords();
    line.expectNoItems();
    byte[] terminator = new byte[DataSegment.BYTES];
    DataSegment.LKEY.set(terminator, 0, DataSegment.INVALID_LKEY);
    bytes.writeBytes(terminator);
  }

  private void inline(Line line) {
    line.expectNoWords();
    byte[] data = follow("bytes");
    byte[] padding = follow("padding");
    byte[] header = fields(Segments.INLINE, line);
    if (data.length > InlineSegment.LENGTH_MASK) {
      throw line.error(
          "inline data is at most %d bytes, found %d", InlineSegment.LENGTH_MASK, data.length);
    }
    if (line.value("length").isEmpty()) {
      InlineSegment.LENGTH.set(header, 0, InlineSegment.LENGTH.get(header, 0) | data.length);
    }
    int length = (int) InlineSegment.LENGTH.get(header, 0);
    if (length != data.length) {
      throw line.error("length is %d, but %d bytes follow", length, data.length);
    }
    int gap = InlineSegment.ds(length) * UNIT - InlineSegment.HEADER_BYTES - length;
    if (padding.length != 0 && padding.length != gap) {
      throw line.error("%d bytes of padding are needed, found %d", gap, padding.length);
    }
    InlineSegment.INLINE.set(header, 0, 1);
    bytes.writeBytes(header);
    bytes.writeBytes(data);
    bytes.writeBytes(padding.length == 0 ? new byte[gap] : padding);
  }

  private byte[] follow(String keyword) {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    while (next < lines.size() && lines.get(next).keyword().equals(keyword)) {
      found.writeBytes(HexLines.parse(lines.get(next++)));
      if (found.size() > Text.MAX_BYTES) {
        throw lines.get(next - 1).error("more than %d bytes", Text.MAX_BYTES);
      }
    }
    return found.toByteArray();
  }
}
