package dev.bluebell.hca.cqe;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.structure.Field;

/**
 * Mini entry of a compressed completion: 8 bytes, big-endian, with the fields that differ between
 * the completions. Mirrors {@code device.h: mlx5_mini_cqe8} of Linux. The common fields are in the
 * title, a full completion.
 *
 * <p>In the basic layout the title has {@link Cqe#FORMAT_COMPRESSED} and, as its byte count, the
 * number of completions, itself included; the first mini entry is its own. Arrays of {@link
 * #IN_ARRAY} are in the slots 1, 8, 16 and so on after the title, and the slots in between are not
 * written. In the enhanced layout the title is the full entry before the block, which does not
 * refer to it; a block has up to {@link #IN_BLOCK} mini entries and a word with their number.
 */
public final class MiniCqe {
  public static final int BYTES = 8;

  /** Number of mini entries in an array of the basic layout. */
  public static final int IN_ARRAY = Cqe.BYTES / BYTES;

  /** Maximum number of mini entries in a block of the enhanced layout. */
  public static final int IN_BLOCK = IN_ARRAY - 1;

  /** Requester: as {@link Cqe#WQE_COUNTER}. */
  public static final Field WQE_COUNTER = new Field("wqe_counter", 0, 16);

  /** Requester: as {@link Cqe#SEND_OPCODE}. */
  public static final Field SEND_OPCODE = new Field("send_opcode", 16, 8);

  /** Format {@link Cqc#MINI_CQE_HASH}: as {@link Cqe#RSS_HASH_RESULT}. */
  public static final Field RX_HASH_RESULT = new Field("rx_hash_result", 0, 32);

  /** Formats {@link Cqc#MINI_CQE_CSUM} and {@link Cqc#MINI_CQE_CSUM_STRIDX}. */
  public static final Field CHECKSUM = new Field("checksum", 0, 16);

  /** Format {@link Cqc#MINI_CQE_CSUM_STRIDX}: index of the packet's stride in its WQE. */
  public static final Field STRIDX = new Field("stridx", 16, 16);

  /** As {@link Cqe#BYTE_CNT}. */
  public static final Field BYTE_CNT = new Field("byte_cnt", 32, 32);

  /** Enhanced layout, in the block's last word: number of mini entries less one. */
  public static final Field BLOCK_COUNT = new Field("mini_cqes_less_1", 504, 4);

  private MiniCqe() {}

  /** That of a completion of a send request. */
  public static long ofRequester(int wqeCounter, int sendOpcode, int byteCount) {
    return WQE_COUNTER.place(wqeCounter)
        | SEND_OPCODE.place(sendOpcode)
        | BYTE_CNT.place(byteCount);
  }

  /**
   * The mini entry of a received message without hash and checksum, as for queue pairs; it is the
   * same in all formats.
   */
  public static long ofResponder(int byteCount) {
    return BYTE_CNT.place(byteCount);
  }

  /**
   * The mini entry of a packet in a stride, without checksum, in format {@link
   * Cqc#MINI_CQE_CSUM_STRIDX}.
   */
  public static long ofStride(int index, int byteCount) {
    return STRIDX.place(index) | BYTE_CNT.place(byteCount);
  }

  /** Slots from the title to array number {@code array} of the basic layout. */
  public static int arrayOffset(int array) {
    return array == 0 ? 1 : array * IN_ARRAY;
  }

  /** Bytes 40–47 of a completion, from those of its title. */
  public static long byteCountWord(long titleWord, long mini) {
    return titleWord & ~BYTE_CNT.place(-1) | BYTE_CNT.get(mini);
  }

  /**
   * Bytes 56–63 of a completion, from those of its title.
   *
   * @param after number of receive entries after the title's: 0 for the title's own, and for all
   *     strides of that entry
   * @param generation see {@link #generation}
   */
  public static long lastWord(long titleWord, long mini, int after, int generation) {
    long kept = titleWord & (Cqe.OPCODE.place(-1) | Cqe.SOLICITED | Cqe.QPN.place(-1));
    long own =
        Cqe.opcode(titleWord) == CqeOpcode.REQ
            ? Cqe.SEND_OPCODE.place(SEND_OPCODE.get(mini))
                | Cqe.WQE_COUNTER.place(WQE_COUNTER.get(mini))
            : titleWord & Cqe.SEND_OPCODE.place(-1)
                | Cqe.WQE_COUNTER.place(Cqe.WQE_COUNTER.get(titleWord) + after);
    return kept | own | generation;
  }

  /**
   * Bytes 8–15 of a received message, from those of its title. Formats without a hash contain only
   * the title's, {@code en_rx.c: mlx5e_decompress_cqe_no_hash}.
   *
   * @param format mini_cqe_res_format
   * @param isTitle true for the message that the title itself is of
   */
  public static long hashWord(long titleWord, long mini, int format, boolean isTitle) {
    if (format != Cqc.MINI_CQE_HASH) {
      return isTitle ? titleWord : titleWord & ~Cqe.RSS_HASH_RESULT.place(-1);
    }
    return titleWord & ~Cqe.RSS_HASH_RESULT.place(-1)
        | Cqe.RSS_HASH_RESULT.place(RX_HASH_RESULT.get(mini));
  }

  /**
   * Bytes 16–23 of a received message, from those of its title: its checksum, where the format has
   * one, and the type of its hash.
   *
   * @param format mini_cqe_res_format
   * @param isTitle true for the message that the title itself is of
   */
  public static long checksumWord(long titleWord, long mini, int format, boolean isTitle) {
    if (format != Cqc.MINI_CQE_CSUM && format != Cqc.MINI_CQE_CSUM_STRIDX) {
      return titleWord;
    }
    long kept = isTitle ? titleWord : titleWord & ~Cqe.RSS_HASH_TYPE.place(-1);
    return kept & ~Cqe.CHECK_SUM.place(-1) | Cqe.CHECK_SUM.place(CHECKSUM.get(mini));
  }

  /** Bytes 16–23 of a packet in a stride, from those of its title: the index of the stride. */
  public static long strideWord(long titleWord, long mini) {
    return titleWord & ~Cqe.IB_STRIDE_INDEX.place(-1) | Cqe.IB_STRIDE_INDEX.place(STRIDX.get(mini));
  }

  /**
   * The bits of a last word that depend on the producer's passes over the ring: the owner bit.
   *
   * @param index of the entry, counted since the queue's creation
   */
  public static int generation(int index, int logEntries) {
    return index >>> logEntries & Cqe.OWNER_MASK;
  }

  /** As {@link #generation}, with the iteration count in byte 62 of the enhanced layout. */
  public static int enhancedGeneration(int index, int logEntries) {
    int round = index >>> logEntries;
    return (round & 0xff) << 8 | round & Cqe.OWNER_MASK;
  }

  /** Iteration count of a last word of the enhanced layout, 8 bits. */
  public static int iteration(long lastWord) {
    return Cqe.VALIDITY_ITERATION_COUNT.getInt(lastWord);
  }

  /**
   * Bytes 56–63 of a block of the enhanced layout.
   *
   * @param wqeCounter counter of the block's first completion
   * @param count mini entries, 1 … {@link #IN_BLOCK}
   * @param generation see {@link #enhancedGeneration}
   */
  public static long blockWord(int wqeCounter, int count, int generation) {
    return Cqe.WQE_COUNTER.place(wqeCounter)
        | BLOCK_COUNT.place(count - 1L)
        | Cqe.FORMAT.place(Cqe.FORMAT_COMPRESSED)
        | generation;
  }

  /** Number of mini entries according to a block of the enhanced layout, 1 … 16. */
  public static int blockCount(long lastWord) {
    return BLOCK_COUNT.getInt(lastWord) + 1;
  }
}
