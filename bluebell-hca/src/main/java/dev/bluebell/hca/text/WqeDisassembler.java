package dev.bluebell.hca.text;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.wqe.AddressVector;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.EthernetSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.RepeatSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Describes one send queue entry, segment by segment. */
final class WqeDisassembler {
  private static final int UNIT = ControlSegment.BYTES;

  private final byte[] wqe;
  private final List<Line> lines = new ArrayList<>();
  private int at;
  private int end;

  private WqeDisassembler(byte[] wqe) {
    this.wqe = wqe;
    this.end = wqe.length;
  }

  static Block block(byte[] wqe, ServiceType type) {
    WqeDisassembler disassembler = new WqeDisassembler(wqe);
    if (wqe.length >= UNIT) {
      disassembler.entry(type);
    }
    disassembler.raw(disassembler.end);
    disassembler.lines.addAll(HexLines.lines("rest", wqe, disassembler.end, wqe.length));
    return Block.of("wqe", disassembler.lines);
  }

  private void entry(ServiceType type) {
    int opcode = (int) ControlSegment.OPCODE.get(wqe, 0);
    int opmod = (int) ControlSegment.OPMOD.get(wqe, 0);
    int ds = (int) ControlSegment.DS.get(wqe, 0);
    end = Math.min(wqe.length, Math.max(ds, 1) * UNIT);
    take(Segments.control(opcode));
    if (ds * UNIT > wqe.length) {
      comment("ds=%d means %d bytes, but there are only %d", ds, ds * UNIT, wqe.length);
    }
    body(type, opcode, opmod);
  }

  private void body(ServiceType type, int opcode, int opmod) {
    WqeForm form = form(type, opcode, opmod);
    if (form != null) {
      for (WqeSegment segment : form.segments()) {
        int start = at;
        if (!segment(form, segment)) {
          if (at == start && !segment.isList()) {
            missing(segment);
          }
          return;
        }
      }
    }
  }

  /** Says that the entry ends before the end of a segment that its opcode needs. */
  private void missing(WqeSegment segment) {
    int ds = (int) ControlSegment.DS.get(wqe, 0);
    // A dump that ends too early has a comment already.
    if (ds * UNIT <= wqe.length) {
      String name = segment.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      String state = at < end ? "is cut off" : "is missing";
      comment("ds=%d is too small: the %s segment %s", ds, name, state);
    }
  }

  // Some opcodes exist only for raw packets, and so identify the type of the queue.
  private static @Nullable WqeForm form(ServiceType type, int opcode, int opmod) {
    WqeForm form = WqeForm.of(type, opcode, opmod);
    return form == null ? WqeForm.of(ServiceType.RAW, opcode, opmod) : form;
  }

  /** Describes one segment; false when the rest of the entry does not match its form. */
  private boolean segment(WqeForm form, WqeSegment segment) {
    return switch (segment) {
      case CONTROL -> true;
      case ADDRESS_VECTOR -> take(isExtended() ? Segments.AV : Segments.COMPACT_AV);
      case DC_ADDRESS_VECTOR -> take(isExtended() ? Segments.DC_AV : Segments.COMPACT_DC_AV);
      case ETHERNET -> ethernet();
      case TRANSLATION -> translation(form);
      case GATHER, SCATTER -> data();
      default -> take(Segments.of(segment));
    };
  }

  private boolean isExtended() {
    return at + UNIT <= end && AddressVector.EXT.get(wqe, at) != 0;
  }

  // The segment holds two bytes of the inlined header; the rest follows in whole units.
  private boolean ethernet() {
    int start = at;
    if (!take(Segments.of(WqeSegment.ETHERNET))) {
      return false;
    }
    int header = (int) EthernetSegment.INLINE_HDR_SZ.get(wqe, start);
    int behind = EthernetSegment.inlineBytes(header);
    if (at + behind > end) {
      return false;
    }
    raw(at + behind);
    return true;
  }

  private boolean translation(WqeForm form) {
    int control = form.offset(WqeSegment.UMR);
    int key = form.offset(WqeSegment.MKEY);
    if ((UmrSegment.FLAGS.get(wqe, control) & UmrSegment.INLINE) == 0) {
      return data();
    }
    if (Mkc.ACCESS_MODE_1_0.get(wqe, key) == Mkc.ACCESS_MODE_MTT) {
      return true;
    }
    int octowords = (int) UmrSegment.KLM_OCTOWORDS.get(wqe, control);
    int translationEnd = Math.min(end, at + octowords * UNIT);
    while (at + UNIT <= translationEnd && !HexLines.isZero(wqe, at, at + UNIT)) {
      if (RepeatSegment.OP.get(wqe, at) == RepeatSegment.OPERATION) {
        repeat(translationEnd);
      } else {
        take(Segments.KLM);
      }
    }
    return true;
  }

  private void repeat(int translationEnd) {
    int entries = (int) RepeatSegment.NUM_ENT.get(wqe, at);
    take(Segments.REPEAT);
    for (int i = 0; i < entries && at + UNIT <= translationEnd; i++) {
      take(Segments.REPEAT_ENTRY);
    }
  }

  private boolean data() {
    while (at + UNIT <= end) {
      if (InlineSegment.INLINE.get(wqe, at) == 0) {
        take(Segments.DATA);
      } else if (!inline()) {
        return false;
      }
    }
    return true;
  }

  private boolean inline() {
    int length = (int) InlineSegment.LENGTH.get(wqe, at);
    int dataStart = at + InlineSegment.HEADER_BYTES;
    int dataEnd = dataStart + length;
    int segmentEnd = at + InlineSegment.ds(length) * UNIT;
    if (segmentEnd > end) {
      comment("%d bytes of inline data do not fit the %d that are left", length, end - dataStart);
      return false;
    }
    byte[] header = Arrays.copyOfRange(wqe, at, dataStart);
    InlineSegment.INLINE.set(header, 0, 0);
    lines.add(Line.ofItems("inline", Segments.INLINE.read(header, 0)));
    lines.addAll(HexLines.lines("bytes", wqe, dataStart, dataEnd));
    if (!HexLines.isZero(wqe, dataEnd, segmentEnd)) {
      lines.addAll(HexLines.lines("padding", wqe, dataEnd, segmentEnd));
    }
    at = segmentEnd;
    return true;
  }

  private boolean take(Layout layout) {
    if (at + layout.bytes() > end) {
      return false;
    }
    lines.add(Line.ofItems(layout.keyword(), layout.read(wqe, at)));
    at += layout.bytes();
    return true;
  }

  private void raw(int to) {
    lines.addAll(HexLines.lines("raw", wqe, at, to));
    at = to;
  }

  private void comment(String format, Object... arguments) {
    lines.add(Line.ofComment(format.formatted(arguments)));
  }
}
