package dev.bluebell.verbs.ring;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.cqe.MiniCqe;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.verbs.CqeCompression;
import org.jspecify.annotations.Nullable;

/**
 * Expands compressed entries in place, in the slots of the ring that they represent, so that all
 * readers of the ring see one kind of entry. Mirrors {@code en_rx.c: mlx5e_decompress_cqes_start}
 * of Linux and {@code ib_mlx5.c: uct_ib_mlx5_iface_cqe_unzip} of UCX.
 *
 * <p>All slots of a session belong to software until the consumer index has passed them. Each of
 * them is written, so that no old entry can look new when the device wraps around. Counts are
 * checked before anything is written, and slots are addressed by index modulo the ring.
 */
final class CqeExpansion {
  private static final int WORDS = Cqe.BYTES / Long.BYTES;
  private static final int HASH = Cqe.RSS_HASH_RESULT.word() / Long.BYTES;
  private static final int PATH = Cqe.PATH_WORD / Long.BYTES;
  private static final int UIDX_IMMEDIATE = Cqe.UIDX_IMMEDIATE_WORD / Long.BYTES;
  private static final int BYTE_COUNT = Cqe.BYTE_COUNT_WORD / Long.BYTES;
  private static final int LAST = Cqe.LAST_WORD / Long.BYTES;
  private final CompletionRing ring;
  private final boolean enhanced;
  private final int miniFormat;

  // Words of the title, as numbers.
  private final long[] title = new long[WORDS];
  private final long[] minis = new long[MiniCqe.IN_ARRAY];

  // The last discarded entry, and its index: it may still be a title.
  private final long[] dropped = new long[WORDS];
  private int droppedIndex;
  private boolean isDropped;

  /**
   * @param miniFormat mini_cqe_res_format
   */
  CqeExpansion(CompletionRing ring, CqeCompression layout, int miniFormat) {
    this.ring = ring;
    enhanced = layout == CqeCompression.ENHANCED;
    this.miniFormat = miniFormat;
  }

  /** True when the device wrote an entry, even if its owner bit does not show it. */
  boolean isOwned(long last, int index, int logEntries) {
    return enhanced
        && Cqe.format(last) == Cqe.FORMAT_COMPRESSED
        && MiniCqe.iteration(last) == (index >>> logEntries & 0xff);
  }

  /** Records an entry that is about to be discarded. */
  void noteDropped(int index) {
    if (enhanced) {
      read(ring.slot(index), dropped);
      droppedIndex = index;
      isDropped = true;
    }
  }

  /** A last word for another index. */
  long moved(long last, int index, int logEntries) {
    long kept = last & ~(Cqe.VALIDITY_ITERATION_COUNT.place(-1) | Cqe.OWNER_MASK);
    return kept | generation(index, logEntries);
  }

  private int generation(int index, int logEntries) {
    return enhanced
        ? MiniCqe.enhancedGeneration(index, logEntries)
        : MiniCqe.generation(index, logEntries);
  }

  /**
   * Expands a compressed entry into all entries that it represents.
   *
   * @param consumed the completion that was polled last; null when the one before the entry is
   *     still in the ring
   * @return null, or one sentence that explains why this is impossible; nothing was written then
   */
  @Nullable String expand(int index, long last, @Nullable CqeView consumed) {
    return enhanced ? expandBlock(index, last, consumed) : expandSession(index);
  }

  private @Nullable String expandSession(int index) {
    read(ring.slot(index), title);
    long count = Cqe.BYTE_CNT.get(title[BYTE_COUNT]);
    if (count < 2 || count > ring.entries()) {
      return "is the title of %d compressed ones, and a title stands for 2 to %d here"
          .formatted(count, ring.entries());
    }
    if (isNoTitle()) {
      return noTitle();
    }
    boolean ofStrides = isOfStrides();
    for (int i = 0; i < (int) count; i++) {
      int mini = i % MiniCqe.IN_ARRAY;
      if (mini == 0) {
        read(ring.slot(index + MiniCqe.arrayOffset(i / MiniCqe.IN_ARRAY)), minis);
      }
      write(index + i, minis[mini], i, ofStrides);
    }
    return null;
  }

  private @Nullable String expandBlock(int index, long last, @Nullable CqeView consumed) {
    int count = MiniCqe.blockCount(last);
    if (count > MiniCqe.IN_BLOCK || count > ring.entries()) {
      return "is a block of %d compressed ones, and a block has at most %d here"
          .formatted(count, Math.min(MiniCqe.IN_BLOCK, ring.entries()));
    }
    if (isDropped && droppedIndex == index - 1) {
      System.arraycopy(dropped, 0, title, 0, WORDS);
    } else if (consumed != null) {
      consumed.copyTo(title);
    } else {
      read(ring.slot(index - 1), title);
    }
    if (isNoTitle()) {
      return noTitle();
    }
    boolean ofStrides = isOfStrides();
    read(ring.slot(index), minis);
    for (int i = 0; i < count; i++) {
      write(index + i, minis[i], i + 1, ofStrides);
    }
    return null;
  }

  private static void read(long slot, long[] words) {
    for (int i = 0; i < words.length; i++) {
      words[i] = Memory.getLong(slot + (long) i * Long.BYTES);
    }
  }

  private boolean isNoTitle() {
    return Cqe.opcode(title[LAST]) > CqeOpcode.RESP_SEND_INV;
  }

  private String noTitle() {
    return "is compressed, and its title has opcode "
        + CqeOpcode.name(Cqe.opcode(title[LAST]))
        + " instead of that of a success";
  }

  /** True when the mini entries contain the stride of each packet in the title's receive entry. */
  private boolean isOfStrides() {
    return miniFormat == Cqc.MINI_CQE_CSUM_STRIDX
        && Cqe.opcode(title[LAST]) != CqeOpcode.REQ
        && ring.hasStrides(Cqe.userIndex(title[UIDX_IMMEDIATE]));
  }

  private void write(int index, long mini, int after, boolean ofStrides) {
    long slot = ring.slot(index);
    if (Cqe.opcode(title[LAST]) != CqeOpcode.REQ) {
      // These fields exist only for receives.
      boolean isTitle = after == 0;
      Memory.putLong(slot, title[0]);
      Memory.putLong(
          slot + (long) HASH * Long.BYTES,
          MiniCqe.hashWord(title[HASH], mini, miniFormat, isTitle));
      Memory.putLong(
          slot + Cqe.PATH_WORD,
          ofStrides
              ? MiniCqe.strideWord(title[PATH], mini)
              : MiniCqe.checksumWord(title[PATH], mini, miniFormat, isTitle));
      Memory.putLong(slot + Cqe.FLAGS_RQPN_WORD, title[Cqe.FLAGS_RQPN_WORD / Long.BYTES]);
    }
    Memory.putLong(slot + Cqe.UIDX_IMMEDIATE_WORD, title[UIDX_IMMEDIATE]);
    Memory.putLong(slot + Cqe.BYTE_COUNT_WORD, MiniCqe.byteCountWord(title[BYTE_COUNT], mini));
    Memory.putLong(slot + Cqe.TIMESTAMP_WORD, title[Cqe.TIMESTAMP_WORD / Long.BYTES]);
    int generation = generation(index, ring.logEntries());
    Memory.putLong(
        slot + Cqe.LAST_WORD,
        MiniCqe.lastWord(title[LAST], mini, ofStrides ? 0 : after, generation));
  }
}
