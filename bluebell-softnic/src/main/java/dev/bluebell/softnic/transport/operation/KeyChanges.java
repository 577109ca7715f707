package dev.bluebell.softnic.transport.operation;

import dev.bluebell.hca.HcaObserver;
import dev.bluebell.hca.command.MkeyCommands.Mkc;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.hca.wqe.MkeyMask;
import dev.bluebell.hca.wqe.UmrSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.DataSegments;
import dev.bluebell.softnic.queue.Fault;
import dev.bluebell.softnic.queue.SendWqe;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.KeyUpdate;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.translation.SegmentList;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Executes the UMRs of one send queue: binds and invalidates memory windows, and changes the
 * translations of keys. A UMR takes effect when a request with a fence follows, or when no posted
 * request is left to precede it. Owned by one requester.
 */
public final class KeyChanges {
  /** Alignment of a translation outside the WQE, {@code mr.c: MLX5_UMR_ALIGN}. */
  private static final int POINTER_ALIGNMENT = 2048;

  /**
   * The longest translation outside the WQE that may be read through a key of other keys, in
   * entries. All of it is read in one turn, and such a key may consist of pieces of one byte.
   */
  private static final int MAX_FRAGMENTED = 256;

  private static final int NONE = 0;

  /** Units of 16 bytes of a UMR WQE up to the end of the new context. */
  private static final int CONTEXT_UNITS = 8;

  private final KeyTable keys;
  private final Staging staging;
  private final Explanations explanations;
  private final Effort effort;
  private final int pd;
  private final int number;
  private final Fault fault;
  private final KeyUpdate update = new KeyUpdate();
  private final SegmentList list = new SegmentList();

  /**
   * @param fault set by the methods that return false
   */
  public KeyChanges(Chip chip, QpIdentity self, Fault fault) {
    keys = chip.keys();
    staging = chip.staging();
    explanations = chip.explanations();
    effort = chip.scheduler().effort();
    pd = self.pd();
    number = self.number();
    this.fault = fault;
  }

  /**
   * The purpose of a UMR, named after the driver's call, in parentheses to follow its opcode; empty
   * for other requests and for other key changes.
   */
  static String purpose(SendWqe wqe) {
    if (wqe.opcode() != WqeOpcode.UMR || wqe.ds() < CONTEXT_UNITS) {
      return "";
    }
    long mask = Memory.getLong(wqe.change() + UmrSegment.MKEY_MASK.word());
    if ((mask & MkeyMask.FREE) == 0) {
      return "";
    }
    if (Mkc.FREE.get(Memory.getLong(wqe.mkeyContext() + Mkc.FREE.word())) != 0) {
      return " (invalidate)";
    }
    return (mask & MkeyMask.BIND) == MkeyMask.BIND ? " (bind)" : "";
  }

  /** The key that a UMR may change, as the key is now; null when the UMR is refused. */
  @Nullable MemoryKey target(SendWqe wqe) {
    MemoryKey key = keys.atIndex(wqe.immediate() >>> 8);
    int flags = UmrSegment.FLAGS.getInt(Memory.getLong(wqe.change()));
    return key != null && isChangeable(key, wqe.immediate(), flags) ? key : null;
  }

  /** Executes a UMR; false when it is refused. */
  public boolean execute(SendWqe wqe) {
    long umr = wqe.change();
    long head = Memory.getLong(umr);
    int flags = UmrSegment.FLAGS.getInt(head);
    MemoryKey key = target(wqe);
    if (key == null) {
      return refuseKey(keys.atIndex(wqe.immediate() >>> 8), wqe.immediate(), flags);
    }
    update.of(Memory.getLong(umr + UmrSegment.MKEY_MASK.word()), wqe.mkeyContext());
    int octowords = UmrSegment.KLM_OCTOWORDS.getInt(head);
    int count = octowords & -UmrSegment.OCTOWORDS_UNIT;
    if (!isPossible(key, umr, head, octowords)) {
      return false;
    }
    effort.add((long) octowords * Effort.ENTRY);
    long entries = octowords == 0 ? NONE : entries(wqe, flags, octowords);
    if (entries < 0) {
      return false;
    }
    if (count > 0 && !isRight(key, entries, count)) {
      return false;
    }
    if (update.frees() && !key.isFree() && (flags & UmrSegment.CHECK_QPN) == 0) {
      noteUnchecked(key, wqe, flags);
    }
    update.apply(keys, key, entries, count, number, wqe.index(), octowords);
    if ((flags & UmrSegment.CHECK_FREE) != 0 && update.leavesOwner(key)) {
      noteUnowned(key, wqe);
    }
    return true;
  }

  // ---- the key

  private boolean isChangeable(MemoryKey key, int named, int flags) {
    boolean free = key.isFree();
    return key.pd() == pd
        && key.isChangeable()
        && (free || key.key() == named)
        && (free || (flags & UmrSegment.CHECK_FREE) == 0)
        && (!free || (flags & UmrSegment.CHECK_NOT_FREE) == 0)
        && (key.serves(number) || (flags & UmrSegment.CHECK_QPN) == 0);
  }

  private boolean refuseKey(@Nullable MemoryKey key, int named, int flags) {
    if (key == null) {
      return refuse(
          "umr_mkey 0x%x in the control segment does not name a memory key: no key has index 0x%x"
              .formatted(named, named >>> 8));
    }
    if (key.pd() != pd) {
      return refuse(
          "memory key 0x%x belongs to protection domain 0x%x, but the queue pair belongs to 0x%x: a UMR changes only keys of its own domain"
              .formatted(key.key(), key.pd(), pd));
    }
    if (!key.isChangeable()) {
      return refuse(
          "memory key 0x%x was created without umr_en, so no UMR may change it: it is registered memory, not a window"
              .formatted(key.key()));
    }
    if (!key.isFree() && key.key() != named) {
      return refuse(
          "umr_mkey 0x%x in the control segment has the tag 0x%02x, but the memory key with this index is in use as 0x%x: umr_mkey must be the current key, and qpn_mkey has the new tag%s"
              .formatted(
                  named,
                  named & 0xff,
                  key.key(),
                  (flags & UmrSegment.CHECK_FREE) != 0
                      ? "; the window is bound, and must be invalidated first"
                      : ""));
    }
    if (!key.isFree() && (flags & UmrSegment.CHECK_FREE) != 0) {
      return refuse(
          "flags 0x%02x have CHECK_FREE (bit 5, 0x20), but memory key 0x%x is in use: a window of type 2 must be invalidated before it is bound again, by a UMR that has CHECK_QPN (bit 3, 0x08) instead"
              .formatted(flags, key.key()));
    }
    if (key.isFree() && (flags & UmrSegment.CHECK_NOT_FREE) != 0) {
      return refuse(
          "flags 0x%02x have bit 6 (0x40), which requires a key in use, but memory key 0x%x is free"
              .formatted(flags, key.key()));
    }
    return refuse(
        "flags 0x%02x have CHECK_QPN (bit 3, 0x08), but memory key 0x%x has qpn 0x%x, not 0x%x: only the queue pair that bound a window may invalidate it"
            .formatted(flags, key.key(), key.qpn(), number));
  }

  private boolean refuse(String why) {
    fault.set(Syndrome.MW_BIND_ERR, VendorSyndrome.UMR, why);
    return false;
  }

  /** Refuses entries; the result is no address. */
  private long malformed(String why) {
    fault.set(Syndrome.LOCAL_QP_OP_ERR, why);
    return -1;
  }

  // Only a window that is bound to one queue pair has an owner to check.
  private void noteUnchecked(MemoryKey key, SendWqe wqe, int flags) {
    if (key.isOwned() && key.qpn() != number) {
      explanations.add(
          HcaObserver.Subject.QUEUE_PAIR,
          number,
          "QP 0x%x send WQE %d invalidated memory key 0x%x, which is bound to QP 0x%x: flags 0x%02x lack CHECK_QPN, which is bit 3 (0x08; bit 4 enables the translation offset), so the owner was not checked"
              .formatted(number, wqe.index(), key.key(), key.qpn(), flags));
    }
  }

  // A type 2 bind whose mask leaves out its qpn makes a window that looks right.
  private void noteUnowned(MemoryKey key, SendWqe wqe) {
    explanations.add(
        HcaObserver.Subject.QUEUE_PAIR,
        number,
        "QP 0x%x send WQE %d changed memory key 0x%x, whose qpn stays 0x%x: mkey_mask 0x%x lacks QPN (bit 14, 0x4000), so the qpn in qpn_mkey is ignored, and all queue pairs of the domain may use and invalidate it"
            .formatted(number, wqe.index(), key.key(), key.qpn(), update.mask()));
  }

  // ---- the change

  private boolean isPossible(MemoryKey key, long umr, long head, int octowords) {
    int flags = UmrSegment.FLAGS.getInt(head);
    long offset =
        UmrSegment.TRANSLATION_OFFSET.get(head)
            | UmrSegment.TRANSLATION_OFFSET_47_16.get(
                    Memory.getLong(umr + UmrSegment.TRANSLATION_OFFSET_47_16.word()))
                << UmrSegment.TRANSLATION_OFFSET.width();
    if (offset != 0) {
      return refuse(
          (flags & UmrSegment.TRANSLATION_OFFSET_EN) != 0
              ? "translation_offset is %d: this device replaces translations only as a whole, from 0"
                  .formatted(offset)
              : "bsf_octowords is %d: this device does not support block signatures"
                  .formatted(offset));
    }
    if (update.unknown() != 0) {
      return refuse(
          "mkey_mask has bits that this device does not change: 0x%x".formatted(update.unknown()));
    }
    if (update.changesDomain(pd)) {
      return refuse(
          "mkey_mask has PD (bit 7), but pd of the new context is not the queue pair's, 0x%x"
              .formatted(pd));
    }
    if (update.isLonger(key)) {
      return refuse(
          "len of the new context is larger than the memory behind memory key 0x%x"
              .formatted(key.key()));
    }
    if (octowords == 0) {
      return true;
    }
    if (!key.isIndirect()) {
      return refuse(
          "klm_octowords is %d, but memory key 0x%x is of access_mode MTT or MEMIC, whose bus addresses only the kernel writes: use a key of mode KLM or KSM, which names other keys"
              .formatted(octowords, key.key()));
    }
    if (octowords > key.capacity()) {
      return refuse(
          "klm_octowords is %d, but memory key 0x%x was created with translations_octword_size %d"
              .formatted(octowords, key.key(), key.capacity()));
    }
    return true;
  }

  /** Address of the device's own copy of the entries; −1 with the fault set. */
  private long entries(SendWqe wqe, int flags, int octowords) {
    int bytes = octowords * ControlSegment.BYTES;
    long room = wqe.listEnd() - wqe.list();
    if ((flags & UmrSegment.INLINE) != 0) {
      if (bytes <= room) {
        return wqe.list();
      }
      return malformed(
          "klm_octowords %d means %d bytes of translation in the WQE, but ds %d leaves room for %d"
              .formatted(octowords, bytes, wqe.ds(), room));
    }
    if (room != DataSegment.BYTES) {
      return malformed(
          "flags 0x%02x lack INLINE (bit 7, 0x80), so exactly one data segment that points to the translation follows the mkey context (ds 9), not %d bytes"
              .formatted(flags, room));
    }
    return fetch(wqe, bytes);
  }

  private long fetch(SendWqe wqe, int bytes) {
    int lkey = DataSegment.lkey(Memory.getLong(wqe.list()));
    long address = Memory.getLong(wqe.list() + Long.BYTES);
    if ((address & POINTER_ALIGNMENT - 1) != 0) {
      return malformed(
          "the translation is at 0x%x, which is not a multiple of %d"
              .formatted(address, POINTER_ALIGNMENT));
    }
    if (bytes > MAX_FRAGMENTED * ControlSegment.BYTES && isIndirect(lkey)) {
      return malformed(
          "klm_octowords is %d, but the translation is behind memory key 0x%x, which names other keys: through such a key, this device reads at most %d octowords"
              .formatted(bytes / ControlSegment.BYTES, lkey, MAX_FRAGMENTED));
    }
    list.clear();
    if (!keys.resolve(lkey, address, bytes, pd, number, MemoryKey.LOCAL_READ, list)) {
      fault.set(
          Syndrome.LOCAL_PROT_ERR,
          VendorSyndrome.LOCAL_PROTECTION,
          "the translation of the UMR: "
              + keys.refusal("lkey", lkey, address, bytes, pd, number, MemoryKey.LOCAL_READ));
      return -1;
    }
    long here = staging.of(bytes);
    if (!list.fetch(here, bytes)) {
      DataSegments.refuseUnreachable(list, fault);
      return -1;
    }
    return here;
  }

  private boolean isIndirect(int lkey) {
    MemoryKey key = keys.find(lkey);
    return key != null && key.pd() == pd && key.isIndirect();
  }

  private boolean isRight(MemoryKey key, long entries, int count) {
    return key.isOfPages()
        || !KeyUpdate.isRepeated(entries)
        || KeyUpdate.isRightRepeat(entries, count)
        || refuse(
            "the repeat block of the translation is wrong: num_ent must be at least 1 and less than"
                + " klm_octowords, repeat_count at least 1, and byte_count the sum of its entries'"
                + " byte_counts, more than 0");
  }
}
