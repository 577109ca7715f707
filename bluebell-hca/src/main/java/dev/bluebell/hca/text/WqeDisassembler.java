package dev.bluebell.hca.text;

import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.InlineSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.hca.wqe.WqeForm;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.hca.wqe.WqeSegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes one send queue entry, segment by segment. */
final class WqeDisassembler {
  private static final int UNIT = ControlSegment.BYTES;
  private static final int REPEAT_OPERATION = 0x400;
  private static final int UMR_INLINE = 0x80;
  private static final int ACCESS_MODE_MASK = 3;
  private static final int ACCESS_MODE_MTT = 1;

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
    int opcode = wqe[3] & 0xff;
    int opmod = wqe[0] & 0xff;
    int ds = wqe[7] & 0x3f;
    end = Math.min(wqe.length, Math.max(ds, 1) * UNIT);
    take(control(opcode));
    if (ds * UNIT > wqe.length) {
      comment("ds=%d asks for %d bytes, but only %d are here", ds, ds * UNIT, wqe.length);
    }
    body(type, opcode, opmod);
  }

  private static Layout control(int opcode) {
    return switch (opcode) {
      case WqeOpcode.SEND_IMM, WqeOpcode.RDMA_WRITE_IMM -> Segments.CONTROL_IMMEDIATE;
      case WqeOpcode.SEND_INVAL -> Segments.CONTROL_INVALIDATE;
      case WqeOpcode.UMR -> Segments.CONTROL_UMR;
      default -> Segments.CONTROL;
    };
  }

  private void body(ServiceType type, int opcode, int opmod) {
    WqeForm form = form(type, opcode, opmod);
    if (form != null) {
      for (WqeSegment segment : form.segments()) {
        if (!segment(form, segment)) {
          return;
        }
      }
    }
  }

  // Some opcodes are for raw packets alone, and tell what queue they are in.
  private static @Nullable WqeForm form(ServiceType type, int opcode, int opmod) {
    WqeForm form = WqeForm.of(type, opcode, opmod);
    return form == null ? WqeForm.of(ServiceType.RAW, opcode, opmod) : form;
  }

  /** Describes one segment; false when the rest of the entry is not what its form says. */
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
    return at + UNIT <= end && wqe[at + 8] < 0;
  }

  // The segment holds two bytes of the inlined header; the rest follows in whole units.
  private boolean ethernet() {
    int start = at;
    if (!take(Segments.ETHERNET)) {
      return false;
    }
    int header = (wqe[start + 12] & 0xff) << 8 | wqe[start + 13] & 0xff;
    int behind = header < UNIT ? 0 : header - 2 + UNIT - 1 & -UNIT;
    if (at + behind > end) {
      return false;
    }
    raw(at + behind);
    return true;
  }

  private boolean translation(WqeForm form) {
    int control = form.offset(WqeSegment.UMR);
    int key = form.offset(WqeSegment.MKEY);
    if ((wqe[control] & UMR_INLINE) == 0) {
      return data();
    }
    if ((wqe[key + 2] & ACCESS_MODE_MASK) == ACCESS_MODE_MTT) {
      return true;
    }
    int octowords = (wqe[control + 4] & 0xff) << 8 | wqe[control + 5] & 0xff;
    int translationEnd = Math.min(end, at + octowords * UNIT);
    while (at + UNIT <= translationEnd && !HexLines.isZero(wqe, at, at + UNIT)) {
      if (dword(at + 4) == REPEAT_OPERATION) {
        repeat(translationEnd);
      } else {
        take(Segments.KLM);
      }
    }
    return true;
  }

  private void repeat(int translationEnd) {
    int entries = dword(at + 12) & 0xffff;
    take(Segments.REPEAT);
    for (int i = 0; i < entries && at + UNIT <= translationEnd; i++) {
      take(Segments.REPEAT_ENTRY);
    }
  }

  private int dword(int offset) {
    return (wqe[offset] & 0xff) << 24
        | (wqe[offset + 1] & 0xff) << 16
        | (wqe[offset + 2] & 0xff) << 8
        | wqe[offset + 3] & 0xff;
  }

  private boolean data() {
    while (at + UNIT <= end) {
      if (wqe[at] >= 0) {
        take(Segments.DATA);
      } else if (!inline()) {
        return false;
      }
    }
    return true;
  }

  private boolean inline() {
    int length = InlineSegment.length(dword(at));
    int dataStart = at + InlineSegment.HEADER_BYTES;
    int dataEnd = dataStart + length;
    int segmentEnd = at + InlineSegment.ds(length) * UNIT;
    if (segmentEnd > end) {
      comment("%d bytes of inline data do not fit the %d that are left", length, end - dataStart);
      return false;
    }
    byte[] header = {(byte) (wqe[at] & 0x7f), wqe[at + 1], wqe[at + 2], wqe[at + 3]};
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
