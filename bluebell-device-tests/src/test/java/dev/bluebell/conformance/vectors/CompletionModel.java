package dev.bluebell.conformance.vectors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.verbs.CompletionHandler;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.ReceiveRing;
import dev.bluebell.verbs.ring.ReceiveRingLayout;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.SharedReceiveRing;
import dev.bluebell.verbs.ring.SharedReceiveRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;

/**
 * The driver's completion queue over given entries, with the same outstanding requests as in the
 * recording of the vectors.
 */
final class CompletionModel {
  /** Ids of the ten send requests, whose WQE indices are 0 to 8 and 10. */
  static final long FIRST_SEND = 0x5e000000L;

  /** Ids of the receive requests. */
  static final long FIRST_RECEIVE = 0x4e000000L;

  private static final int LOG_REQUESTS = 6;
  private static final int CQ_REGISTER_BYTES = 64;
  private static final int MAX_WQE_BYTES = 1024;

  private final int cqeBytes;
  private final Scratch entries;
  private final Scratch record = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch register = Scratch.register(CQ_REGISTER_BYTES);
  private final Scratch sendMemory = Scratch.memory(64 << LOG_REQUESTS);
  private final Scratch receiveMemory = Scratch.memory(32 << LOG_REQUESTS);
  private final Scratch queueRecord = Scratch.memory(DoorbellRecord.STRIDE);
  private final Scratch queueRegister = Scratch.register(512);
  private final QueueTable queues = new QueueTable();
  private final CompletionRing ring;

  /**
   * @param sharedReceives whether the receive requests are those of a shared queue
   */
  CompletionModel(
      int cqeBytes, int count, int cqn, int qpn, int userIndex, boolean sharedReceives) {
    this(cqeBytes, count, cqn, qpn, userIndex, sharedReceives, CqeCompression.NONE);
  }

  /**
   * @param sharedReceives whether the receive requests are those of a shared queue
   */
  CompletionModel(
      int cqeBytes,
      int count,
      int cqn,
      int qpn,
      int userIndex,
      boolean sharedReceives,
      CqeCompression compression) {
    this(cqeBytes, count, cqn, compression, Cqc.MINI_CQE_CSUM, new LocalMemory());
    add(
        userIndex,
        new WorkQueues(qpn, sends(qpn), sharedReceives ? sharedReceives() : receives(qpn)));
  }

  /** A completion queue without queue pairs. */
  CompletionModel(
      int cqeBytes,
      int count,
      int cqn,
      CqeCompression compression,
      int miniFormat,
      LocalMemory memory) {
    this.cqeBytes = cqeBytes;
    entries = Scratch.memory(count * cqeBytes);
    record.write(0, new byte[DoorbellRecord.BYTES]);
    int logEntries = Integer.numberOfTrailingZeros(count);
    CompletionRingLayout.initialize(entries.address(), logEntries, cqeBytes);
    ring =
        new CompletionRing(
            new CompletionRingLayout(
                    entries.address(),
                    logEntries,
                    cqeBytes,
                    cqn,
                    record.address(),
                    register.address())
                .compressed(compression, miniFormat),
            queues,
            memory,
            null);
    // libmlx5 reads an entry's LID, path bits and service level on any link layer.
    ring.belongTo("libmlx5", LinkLayer.INFINIBAND);
  }

  /** Adds a queue pair with a user index. */
  void add(int userIndex, WorkQueues added) {
    int index = queues.reserve();
    while (index < userIndex) {
      index = queues.reserve();
    }
    queues.set(index, added);
  }

  /** Closes the queue pair with a user index. Its completions are no longer returned. */
  void close(int userIndex) {
    queues.release(userIndex, ring);
  }

  private SendRing sends(int qpn) {
    SendRing send =
        new SendRing(
            SendRingLayout.of(
                sendMemory.address(),
                LOG_REQUESTS,
                qpn,
                queueRecord.address(),
                queueRegister.address(),
                MAX_WQE_BYTES));
    long id = FIRST_SEND;
    while (send.producerIndex() < 8) {
      send.nop().signaled(id++);
    }
    send.request().send().inline(new byte[60], 0, 60).signaled(id++);
    send.request().send().inline(new byte[60], 0, 60).signaled(id);
    send.ringDoorbell();
    return send;
  }

  private ReceiveRing receives(int qpn) {
    ReceiveRing receive =
        new ReceiveRing(
            new ReceiveRingLayout(
                receiveMemory.address(), LOG_REQUESTS, 4, qpn, queueRecord.address(), 0));
    for (long id = FIRST_RECEIVE; receive.freeRequests() > 0; id++) {
      receive.receive().empty().post(id);
    }
    receive.ringDoorbell();
    return receive;
  }

  private SharedReceiveRing sharedReceives() {
    SharedReceiveRing receive =
        new SharedReceiveRing(
            new SharedReceiveRingLayout(
                receiveMemory.address(), LOG_REQUESTS, 5, queueRecord.address(), "the SRQ"));
    for (long id = FIRST_RECEIVE; receive.freeRequests() > 0; id++) {
      receive.receive().empty().post(id);
    }
    receive.ringDoorbell();
    return receive;
  }

  /** Puts entries into the ring, from its start. */
  void fill(JsonNode hexEntries) {
    for (int i = 0; i < hexEntries.size(); i++) {
      write(i, Numbers.bytes(hexEntries.get(i)));
    }
  }

  /** Puts an entry into a slot of the ring. */
  void write(int slot, byte[] entry) {
    if (entry.length != cqeBytes) {
      throw new IllegalArgumentException(
          "an entry has %d bytes, and the queue's have %d".formatted(entry.length, cqeBytes));
    }
    entries.write((long) slot * cqeBytes, entry);
  }

  int poll(CompletionHandler handler, int max) {
    return ring.poll(handler, max);
  }

  /** The bytes of the ring. */
  byte[] bytes(long offset, int length) {
    return entries.bytes(offset, length);
  }

  void arm(boolean solicitedOnly) {
    ring.arm(solicitedOnly);
  }

  /** The consumer index in the doorbell record. */
  int consumerIndex() {
    return record.integer(DoorbellRecord.CQ_SET_CI);
  }

  /** The arm command in the doorbell record. */
  int armCommand() {
    return record.integer(DoorbellRecord.CQ_ARM);
  }

  /** The bytes written to the register for arm commands. */
  byte[] armRegister() {
    return register.bytes(0, Long.BYTES);
  }
}
