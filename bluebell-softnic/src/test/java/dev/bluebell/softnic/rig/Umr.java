package dev.bluebell.softnic.rig;

import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.RepeatSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A handwritten UMR; a test can spoil every field. */
public final class Umr {
  private static final int AS_IT_IS = -1;

  private final int key;
  private final View context = View.of(Mkc.STRUCTURE);
  private final ByteArrayOutputStream entries = new ByteArrayOutputStream();
  private int flags = 0x80;
  private long mask;
  private int octowords = AS_IT_IS;
  private int offset;

  /**
   * @param key umr_mkey of the control segment
   */
  public Umr(int key) {
    this.key = key;
  }

  public Umr flags(int value) {
    flags = value;
    return this;
  }

  public Umr mask(long value) {
    mask = value;
    return this;
  }

  /** Sets klm_octowords to a value that does not match the entries. */
  public Umr octowords(int value) {
    octowords = value;
    return this;
  }

  public Umr offset(int value) {
    offset = value;
    return this;
  }

  /** qpn_mkey. */
  public Umr owner(int qpn, int tag) {
    context.set(Mkc.QPN, qpn).set(Mkc.MKEY_7_0, tag);
    return this;
  }

  /** Byte 2 of the context: 0x40 atomic, 0x20 write, 0x10 read, 0x08 local write. */
  public Umr access(int bits) {
    context
        .set(Mkc.A, (bits & 0x40) != 0)
        .set(Mkc.RW, (bits & 0x20) != 0)
        .set(Mkc.RR, (bits & 0x10) != 0)
        .set(Mkc.LW, (bits & 0x08) != 0);
    return this;
  }

  public Umr range(long start, long bytes) {
    context.set(Mkc.START_ADDR, start).set(Mkc.LEN, bytes);
    return this;
  }

  public Umr context(Consumer<View> change) {
    change.accept(context);
    return this;
  }

  public Umr klm(int bytes, int mkey, long address) {
    return entry((long) bytes << 32 | mkey & 0xffffffffL, address);
  }

  /** The head of a repeating block. */
  public Umr repeat(int bytes, int times, int pieces) {
    return entry((long) bytes << 32 | RepeatSegment.OPERATION, (long) times << 32 | pieces);
  }

  /** A piece of a repeating block. */
  public Umr piece(int stride, int bytes, int mkey, long address) {
    return entry((long) stride << 48 | (long) bytes << 32 | mkey & 0xffffffffL, address);
  }

  public Umr entry(long first, long second) {
    entries.writeBytes(ByteBuffer.allocate(16).putLong(first).putLong(second).array());
    return this;
  }

  /** The entries, padded to a multiple of 64 bytes. */
  public byte[] translation() {
    ByteBuffer padded = ByteBuffer.allocate(entries.size() + 63 & -64);
    return padded.put(entries.toByteArray()).array();
  }

  private int words() {
    return octowords == AS_IT_IS ? translation().length / 16 : octowords;
  }

  /** The request with its translation inline. */
  public Wqe wqe() {
    Wqe wqe = head();
    ByteBuffer translation = ByteBuffer.wrap(translation());
    while (translation.hasRemaining()) {
      wqe.words(translation.getLong(), translation.getLong());
    }
    return wqe;
  }

  /** The request without a translation. */
  public Wqe head() {
    Wqe wqe =
        new Wqe(WqeOpcode.UMR)
            .immediate(key)
            .words((long) flags << 56 | (long) words() << 16 | offset, mask)
            .words(0, 0)
            .words(0, 0);
    ByteBuffer mkc = ByteBuffer.wrap(context.bytes());
    while (mkc.hasRemaining()) {
      wqe.words(mkc.getLong(), mkc.getLong());
    }
    return wqe;
  }
}
