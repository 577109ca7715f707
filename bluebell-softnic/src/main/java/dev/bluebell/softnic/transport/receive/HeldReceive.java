package dev.bluebell.softnic.transport.receive;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.Syndrome;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.wqe.DataSegment;
import dev.bluebell.roce.packet.Aeth;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.Completion;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.InlineData;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.ReceiveWqe;
import dev.bluebell.softnic.queue.VendorSyndrome;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.MemoryKey;
import dev.bluebell.softnic.transport.connection.Lifecycle;
import dev.bluebell.softnic.transport.connection.QpIdentity;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import org.jspecify.annotations.Nullable;

/**
 * The receive WQE taken by the arriving message, if it needs one, from its source to its
 * completion. Owned by the thread that runs the engine.
 */
public final class HeldReceive {
  private final Chip chip;
  private final Lifecycle life;
  private final QpIdentity self;
  private final int number;
  private final KeyTable keys;
  private final ReceiveWqe wqe = new ReceiveWqe();
  private final @Nullable ReceiveStorm storm;

  private ReceiveSource source;
  private boolean held;

  // app_op of a message to a tag-matching queue; otherwise 0.
  private int tagOperation;

  /**
   * @param source of the first message
   */
  public HeldReceive(Chip chip, QpIdentity self, Lifecycle life, ReceiveSource source) {
    this.chip = chip;
    this.life = life;
    this.source = source;
    this.self = self;
    number = self.number();
    keys = chip.keys();
    storm = ReceiveStorm.of(chip, self);
  }

  public void reset() {
    held = false;
  }

  /** True while a receive WQE is taken and not completed, and its queue has not ended. */
  public boolean isHeld() {
    return held && !source.queue().hasEnded();
  }

  /** The given syndrome for the held WQE of a refused message; 0 when no WQE is held. */
  public int syndrome(int whenHeld) {
    return isHeld() ? whenHeld : 0;
  }

  public ReceiveWqe wqe() {
    return wqe;
  }

  /** Protection domain that the memory keys in the WQE must belong to. */
  public int pd() {
    return source.queue().pd();
  }

  /**
   * Consumes a receive WQE, unless an abandoned message has left one of the same source. One that
   * was left of another source, which only XRC has, is lost.
   *
   * @return false with the refusal set when there is none
   */
  public boolean take(ReceiveSource from, Refusal refusal) {
    held = held && source.equals(from);
    if (held) {
      return true;
    }
    ReceiveQueue queue = from.queue();
    if (queue.isStriding()) {
      return refusal.refuse(
          Aeth.INVALID_REQUEST_NAK,
          0,
          "an RDMA WRITE with immediate needs a receive WQE, but %s 0x%x has strides, for SENDs only (wq_type)"
              .formatted(from.kind(), queue.number()));
    }
    if (storm != null && storm.holds()) {
      return refusal.refuse(Aeth.RNR_NAK, 0, storm.why());
    }
    if (queue.available() == 0) {
      // An unreliable queue pair without receives may drop thousands of messages, so the
      // explanation is built only when it is needed.
      return refusal.refuse(Aeth.RNR_NAK, 0, "");
    }
    if (queue.isOverrun()) {
      source = from;
      queue.name(wqe);
      held = true;
      tagOperation = 0;
      return refusal.refuse(
          Aeth.REMOTE_OPERATION_NAK,
          Syndrome.LOCAL_QP_OP_ERR,
          "the doorbell record's receive counter of %s claims more WQEs than the %d that the ring has"
              .formatted(self.name(), queue.size()));
    }
    source = from;
    queue.take(wqe);
    held = true;
    tagOperation = 0;
    if (chip.recorder().isTracing(number)) {
      Deliveries.noteTaken(chip.recorder(), number, wqe);
    }
    raiseLimit(queue);
    return !queue.isSigned() || isRightlySigned(queue, refusal);
  }

  private static boolean isRightlySigned(ReceiveQueue queue, Refusal refusal) {
    String why = queue.whyBadlySigned();
    return why.isEmpty()
        || refusal.refuse(Aeth.REMOTE_OPERATION_NAK, Syndrome.LOCAL_QP_OP_ERR, why);
  }

  /** Sets app_op of the completion, for a message to a tag-matching queue. */
  void mark(int operation) {
    tagOperation = operation;
  }

  /** Explains a refusal with {@link Aeth#RNR_NAK}. */
  public String starvation(ReceiveSource from) {
    return "%s has no receive WQE posted%s; post receives and ring their doorbell before the peer sends"
        .formatted(
            self.name(),
            from.isShared() ? " (shared receive queue 0x%x)".formatted(from.queue().number()) : "");
  }

  /** Explains to the client of a receiver what {@link #starvation} has cost. */
  public static String missed(String sender, String starvation) {
    return "a message of %s finds no receive: %s".formatted(sender, starvation);
  }

  private void raiseLimit(ReceiveQueue queue) {
    if (queue.reachedLimit()) {
      chip.events().raise(HcaEvent.SRQ_LIMIT, queue.number(), 0);
    }
  }

  /**
   * Completes the held WQE; false when the CQ is overrun, which has failed the queue pair.
   *
   * @param sender see {@link dev.bluebell.softnic.packet.Origin}
   */
  public boolean finish(int opcode, long sender, int bytes, int immediate, boolean solicited) {
    Completion completion = begin(opcode, sender, bytes, immediate, solicited);
    return source.completions().complete(completion) || overrun(source.completions());
  }

  /**
   * Completes the held WQE with the message in the CQE; false when the CQ is overrun, which has
   * failed the queue pair.
   *
   * @param sender see {@link dev.bluebell.softnic.packet.Origin}
   * @param data see {@link InlineData}
   * @param format of the data; tag-matching queues always use the long one
   */
  public boolean finish(
      int opcode, long sender, int bytes, int immediate, boolean solicited, long data, int format) {
    Completion completion =
        begin(opcode, sender, bytes, immediate, solicited)
            .data(data, tagOperation == 0 ? format : Cqe.FORMAT_INLINE_64);
    return source.completions().complete(completion) || overrun(source.completions());
  }

  private Completion begin(int opcode, long sender, int bytes, int immediate, boolean solicited) {
    held = false;
    Completion completion =
        source
            .completions()
            .next(opcode, number, source.userIndex(), wqe.index())
            .sender(sender)
            .bytes(bytes)
            .immediate(immediate)
            .solicited(solicited);
    return tagOperation == 0 ? completion : completion.tagged(tagOperation, 0);
  }

  private boolean overrun(CompletionQueue completions) {
    life.failUnreported("its receive CQ 0x%x is overrun".formatted(completions.number()));
    return false;
  }

  /** Completes the held WQE in error. */
  public void fail(int syndrome, int vendorSyndrome, String explanation) {
    held = false;
    source.fail(number, wqe.index(), syndrome, vendorSyndrome, explanation);
  }

  /** Flushes the WQE of a partly received message. */
  public void flush(String cause) {
    if (isHeld()) {
      fail(Syndrome.WR_FLUSH_ERR, VendorSyndrome.FLUSHED, cause);
    }
  }

  // ---- messages that cut through

  /**
   * How many messages that need a receive WQE can complete, if nothing else completes meanwhile.
   */
  public int receivable(ReceiveSource from) {
    int available = from.queue().available();
    return isHeld()
            || from.tags() != null
            || from.queue().isStriding()
            || from.queue().isSigned()
            || from.queue().isOverrun()
        ? 0
        : Math.min(available, from.completions().room());
  }

  /**
   * Target address of a message in the first buffer of the next WQE, which {@link #receivable} has
   * ensured; {@link KeyTable#REFUSED} when the message does not fit, or the buffer's key refuses
   * it.
   */
  public long landing(ReceiveSource from, int bytes) {
    long at = from.queue().nextSegment();
    // As in ReceiveWqe, bit 31 of the byte count is ignored.
    long first = Memory.getLong(at) & Long.MAX_VALUE;
    long address = Memory.getLong(at + 8);
    if (DataSegment.byteCount(first) < bytes) {
      // Includes 2 GiB and the end of the list, which both have a byte count of 0.
      return KeyTable.REFUSED;
    }
    return keys.translate(
        DataSegment.lkey(first), address, bytes, from.queue().pd(), MemoryKey.LOCAL_WRITE);
  }

  /** Takes and completes the next WQE, which {@link #receivable} has ensured. */
  public void pass(
      ReceiveSource from, int opcode, long sender, int bytes, int immediate, boolean solicited) {
    int index = from.queue().pass();
    raiseLimit(from.queue());
    from.completions()
        .completeReceive(
            opcode, number, from.userIndex(), sender, index, bytes, immediate, solicited);
  }
}
