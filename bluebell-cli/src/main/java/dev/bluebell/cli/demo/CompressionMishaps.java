package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.text.Counted;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CqeCompression;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Compressed completions, read in the layout that the queue does not have. */
final class CompressionMishaps {
  private static final int ENTRIES = 256;
  private static final int REQUESTS = 32;
  private static final int BYTES = 32;
  private static final int SIGNATURE = 62;
  private static final int OP_OWN = 63;
  private static final int NEVER_WRITTEN = 0xf1;

  /** Slot of the last block in the enhanced layout, after a title and four blocks of 7. */
  private static final int LAST_BLOCK = 29;

  private CompressionMishaps() {}

  static List<Mishap> all() {
    return List.of(
        new Mishap(
            "basic-read-as-enhanced",
            "a basic compressed queue read as an enhanced one",
            CompressionMishaps::basicAsEnhanced),
        new Mishap(
            "enhanced-read-as-basic",
            "an enhanced compressed queue read as a basic one",
            CompressionMishaps::enhancedAsBasic));
  }

  /** The ring of a queue in which 32 WRITEs have completed at once, before any poll. */
  private static MemorySegment ring(Scene scene, CqeCompression layout) {
    CompletionQueue completions = scene.stage().compressed(ENTRIES, layout);
    MemorySegment ring = scene.ring(completions);
    // UCX and applications that follow it initialize their rings like this.
    for (long entry = 0; entry < ENTRIES; entry++) {
      ring.set(ValueLayout.JAVA_BYTE, entry * Cqe.BYTES + SIGNATURE, (byte) 0xff);
      ring.set(ValueLayout.JAVA_BYTE, entry * Cqe.BYTES + OP_OWN, (byte) NEVER_WRITTEN);
    }
    Side left = scene.stage().side(completions, BYTES, builder -> builder);
    Side right = scene.stage().side(BYTES);
    Stage.connect(left.queuePair(), right.queuePair());
    for (int i = 0; i < REQUESTS; i++) {
      left.queuePair().write(right.remote(0)).gather(left.region(), 0, BYTES).signaled(i);
    }
    left.queuePair().ringDoorbell();
    // The device writes the last entry when no more completions have come for a while.
    int last = layout == CqeCompression.BASIC ? 0 : LAST_BLOCK;
    scene.until("the last entry", () -> op(ring, last) != NEVER_WRITTEN);
    return ring;
  }

  private static int op(MemorySegment ring, long slot) {
    return ring.get(ValueLayout.JAVA_BYTE, slot * Cqe.BYTES + OP_OWN) & 0xff;
  }

  private static int signature(MemorySegment ring, long slot) {
    return ring.get(ValueLayout.JAVA_BYTE, slot * Cqe.BYTES + SIGNATURE) & 0xff;
  }

  private static int byteCount(MemorySegment ring, long slot) {
    return ring.get(INT, slot * Cqe.BYTES + Cqe.BYTE_COUNT_WORD + 4);
  }

  private static boolean isCompressed(int opOwn) {
    return (opOwn & Cqe.FORMAT_MASK) == Cqe.FORMAT_MASK;
  }

  /**
   * Reads like the authors of the log: byte 62 of compressed entries, bit 0 of byte 63 of others.
   */
  static List<Finding> basicAsEnhanced(Scene scene) {
    MemorySegment ring = ring(scene, CqeCompression.BASIC);
    List<String> steps = new ArrayList<>();
    int seen = 0;
    int slot = 0;
    while (true) {
      int opOwn = op(ring, slot);
      boolean block = isCompressed(opOwn);
      boolean isNew = block ? signature(ring, slot) == 0 : (opOwn & Cqe.OWNER_MASK) == 0;
      if (!isNew) {
        steps.add(
            "slot %d: op_own 0x%02x, owner 1: not new, and never will be, because the device skips the slots that the array in slot 1 stands for"
                .formatted(slot, opOwn));
        break;
      }
      int count = block ? (opOwn >> 4) + 1 : 1;
      steps.add(
          block
              ? "slot %d: op_own 0x%02x, format 3: the poller expects the enhanced layout, so it reads a block of (op_own >> 4) + 1 = %s; the queue has the basic layout, and this is the title of byte_cnt = %s, with arrays in slots 1, 8, 16 and 24"
                  .formatted(
                      slot,
                      opOwn,
                      Counted.of(count, "completion"),
                      Counted.of(byteCount(ring, slot), "completion"))
              : "slot %d: op_own 0x%02x, format 0: the poller reads a completion with opcode %s; it is an array of 8 mini CQEs"
                  .formatted(slot, opOwn, CqeOpcode.name(opOwn >> 4)));
      seen += count;
      slot++;
    }
    Check.equal("byte_cnt of the title", REQUESTS, byteCount(ring, 0));
    Check.equal("completions seen", 2, seen);
    scene.wrote("the layout that the poller reads", "1 (enhanced)", "0 (basic)");
    return List.of(
        new Finding(
            "poller",
            "%d of %d completions, then none".formatted(seen, REQUESTS),
            steps,
            Finding.SILENCE));
  }

  /** Checks the owner bit, and expands titles. */
  private static List<Finding> enhancedAsBasic(Scene scene) {
    MemorySegment ring = ring(scene, CqeCompression.ENHANCED);
    List<String> steps = new ArrayList<>();
    long slot = 0;
    long seen = 0;
    while (slot < ENTRIES) {
      int opOwn = op(ring, slot);
      if (opOwn >> 4 == CqeOpcode.INVALID || (opOwn & Cqe.OWNER_MASK) != 0) {
        steps.add(
            "slot %d: op_own 0x%02x: not new, and the completions before it were skipped"
                .formatted(slot, opOwn));
        break;
      }
      long count = isCompressed(opOwn) ? Math.max(1, byteCount(ring, slot)) : 1;
      steps.add(
          isCompressed(opOwn)
              ? "slot %d: op_own 0x%02x, format 3: read as a title, whose byte_cnt says %s; it is a block of (op_own >> 4) + 1 = %d"
                  .formatted(slot, opOwn, Counted.of(count, "completion"), (opOwn >> 4) + 1)
              : "slot %d: op_own 0x%02x: a completion, and the title of what follows"
                  .formatted(slot, opOwn));
      slot += count;
      seen += count;
    }
    Check.that(seen != REQUESTS, "the poller has seen all completions");
    scene.wrote("the layout that the poller reads", "0 (basic)", "1 (enhanced)");
    return List.of(
        new Finding(
            "poller",
            "%d completions instead of %d, then none".formatted(seen, REQUESTS),
            steps,
            Finding.PHANTOM));
  }
}
