package dev.bluebell.program.install;

import dev.bluebell.hca.text.Counted;
import dev.bluebell.program.Buffer;
import dev.bluebell.program.Input;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.WorkOpcode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a service and receives its answers. The service may be a NIC program or a
 * processor, in this process or another. A client that is created with the plan of a program can
 * hold all answers of a call; any client can hold {@value #MAX_ANSWERS} of at most {@value
 * #MAX_ANSWER_BYTES} bytes each. Not thread-safe.
 */
public final class Client implements AutoCloseable {
  /** Maximum number of unacknowledged messages. */
  private static final int MAX_SENDS = 16;

  /** Maximum number of answers to one message, unless a plan has more. */
  public static final int MAX_ANSWERS = 16;

  /** Maximum number of bytes of an answer, unless a plan has longer ones. */
  public static final int MAX_ANSWER_BYTES = 4096;

  /** Maximum number of answers to one message. */
  private final int answers;

  /** Maximum number of bytes of an answer. */
  private final int answerBytes;

  private final Closings closings = new Closings();
  private final CompletionQueue sends;
  private int untaken;
  private boolean hasSent;
  private final CompletionQueue receives;
  private final RcQueuePair pair;
  private final MemoryRegion buffer;
  private final int leastBytes;
  private final int messageBytes;
  private final ProtectionDomain domain;
  private @Nullable MemoryRegion written;

  // The answers that no call has returned yet, in order.
  private final List<byte[]> arrived = new ArrayList<>();
  private long answeredAt;

  // Whether the receive of a taken answer is reposted immediately, and the receives that are not
  // reposted yet.
  private final boolean isReady;
  private final Deque<Long> taken = new ArrayDeque<>();

  /**
   * Creates the client's queue pair, for a service that is not compiled by Bluebell.
   *
   * @param messageBytes maximum number of bytes of a message
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public Client(Device device, ProtectionDomain domain, int messageBytes) {
    this(device, domain, 0, messageBytes, MAX_ANSWERS, MAX_ANSWER_BYTES, MAX_ANSWERS);
  }

  /**
   * Creates the client's queue pair, with receives for all answers of a program to a call.
   *
   * @param plan the program that is called
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public Client(Device device, ProtectionDomain domain, Plan plan) {
    this(device, domain, plan, plan.messageBytes(), plan.messageBytes(), Integer.MAX_VALUE);
  }

  /**
   * As {@link #Client(Device, ProtectionDomain, Plan)}, for a client with few receives: while none
   * is posted, the service retries answers. {@link #makeRoom} reposts the receives of taken
   * answers.
   *
   * @param leastBytes minimum number of bytes of a message
   * @param messageBytes maximum number of bytes of a message
   * @param room maximum number of receives, from 1; if it is less than the number of answers, they
   *     are not reposted as soon as their answers are taken
   */
  Client(
      Device device,
      ProtectionDomain domain,
      Plan plan,
      int leastBytes,
      int messageBytes,
      int room) {
    this(
        device,
        domain,
        leastBytes,
        messageBytes,
        Math.max(MAX_ANSWERS, slots(plan)),
        Math.max(MAX_ANSWER_BYTES, plan.longestAnswer()),
        room);
  }

  private Client(
      Device device,
      ProtectionDomain domain,
      int leastBytes,
      int messageBytes,
      int answers,
      int answerBytes,
      int room) {
    this.answers = answers;
    this.answerBytes = answerBytes;
    this.domain = domain;
    this.leastBytes = leastBytes;
    this.messageBytes = messageBytes;
    isReady = room >= answers;
    try {
      sends = device.createCompletionQueue(MAX_SENDS);
      closings.add(sends::close);
      receives = device.createCompletionQueue(answers);
      closings.add(receives::close);
      pair = domain.rcQueuePair(sends).receiveCompletions(receives).receiveQueue(answers).create();
      closings.add(pair::close);
      buffer = domain.allocate(messageAt() + Math.max(1, messageBytes), Access.LOCAL_WRITE);
      closings.add(buffer::close);
      for (int i = 0; i < Math.min(room, answers); i++) {
        post(i);
      }
      pair.ringReceiveDoorbell();
    } catch (RuntimeException | Error e) {
      closings.closeAfter(e);
      throw e;
    }
  }

  private void post(long slot) {
    pair.receive().scatter(buffer, slot * answerBytes, answerBytes).post(slot);
  }

  private long messageAt() {
    return (long) answers * answerBytes;
  }

  CompletionQueue sends() {
    return sends;
  }

  /** Number of messages that are not known to be acknowledged. */
  int untaken() {
    untaken -= Completions.drain(sends);
    return untaken;
  }

  RcQueuePair pair() {
    return pair;
  }

  MemoryRegion buffer() {
    return buffer;
  }

  /** Endpoint for the service to connect to. */
  public QueuePairEndpoint endpoint() {
    return pair.endpoint();
  }

  public void connect(QueuePairEndpoint service) {
    pair.connect(service, ConnectOptions.DEFAULT);
  }

  /**
   * Encodes the message of a call. It includes the locations of the program's buffers, which are in
   * memory of the client that has no other use.
   *
   * @param inputs the bytes of every input
   * @throws IllegalArgumentException when an input is missing or has another length, or the program
   *     may send more or longer answers than the client can hold
   * @throws IllegalStateException when the plan is for one call, and this client has sent a message
   */
  public byte[] encode(Plan plan, Map<Input<?>, byte[]> inputs) {
    if (hasSent && plan.calls() == Calls.ONE) {
      throw new IllegalStateException(
          "%s is compiled for one call, which this client has sent: compile it with Calls.MANY"
              .formatted(plan.name()));
    }
    checkAnswers(plan);
    Map<Input<?>, byte[]> all = new HashMap<>(inputs);
    for (Buffer each : plan.buffers()) {
      MemoryRegion memory = written();
      all.put(
          each.place(),
          ByteBuffer.allocate(Buffer.PLACE_BYTES)
              .putLong(memory.address() + (long) each.number() * answerBytes)
              .putInt(memory.rkey())
              .array());
    }
    return plan.encode(all);
  }

  /** Number of answers, or of buffers if these are more, that a client must hold. */
  private static int slots(Plan plan) {
    int buffers = plan.buffers().stream().mapToInt(each -> each.number() + 1).max().orElse(0);
    return Math.max(plan.mostAnswers(), buffers);
  }

  private void checkAnswers(Plan plan) {
    int needed = slots(plan);
    if (needed > answers || plan.longestAnswer() > answerBytes) {
      throw new IllegalArgumentException(
          "%s has up to %s of up to %s; this client holds %d of at most %d: create it with the plan, not with the length of the message"
              .formatted(
                  plan.name(),
                  Counted.of(needed, "answer"),
                  Counted.of(plan.longestAnswer(), "byte"),
                  answers,
                  answerBytes));
    }
  }

  private MemoryRegion written() {
    MemoryRegion memory = written;
    if (memory == null) {
      memory = domain.allocate(messageAt(), Access.LOCAL_WRITE, Access.REMOTE_WRITE);
      closings.add(memory::close);
      written = memory;
    }
    return memory;
  }

  /** Current content of a buffer that the service, which may be hostile, reports as written. */
  private byte[] reported(int number, int bytes) {
    if (number < 0 || number >= answers || bytes > answerBytes) {
      throw new IllegalStateException(
          "QP 0x%x: the service reported a write of %d bytes to buffer %s; this client has %d buffers of at most %d bytes"
              .formatted(
                  pair.number(), bytes, Integer.toUnsignedString(number), answers, answerBytes));
    }
    return read(number, bytes);
  }

  /** Current content of a buffer. */
  public byte[] read(Buffer of) {
    return read(of.number(), of.bytes());
  }

  private byte[] read(int number, int bytes) {
    return written()
        .segment()
        .asSlice((long) number * answerBytes, bytes)
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /**
   * Sends a message; the one before must have been answered.
   *
   * @throws IllegalArgumentException when it is longer than this client's messages, or shorter than
   *     those of the plan with which the client was created
   */
  public void send(byte[] message) {
    if (message.length < leastBytes) {
      throw new IllegalArgumentException(
          "a message of %s; the program's has %d, and it would use the missing ones of the message before"
              .formatted(Counted.of(message.length, "byte"), leastBytes));
    }
    if (message.length > messageBytes) {
      throw new IllegalArgumentException(
          "a message of %s; this client sends at most %d"
              .formatted(Counted.of(message.length, "byte"), messageBytes));
    }
    hasSent = true;
    MemorySegment.copy(
        MemorySegment.ofArray(message), 0, buffer.segment(), messageAt(), message.length);
    if (message.length == 0) {
      pair.send().signaled(0);
    } else {
      pair.send().gather(buffer, messageAt(), message.length).signaled(0);
    }
    pair.ringDoorbell();
    untaken++;
  }

  /**
   * Takes the answers that have arrived, in order: messages, and the current content of buffers
   * whose writes the program has reported.
   *
   * @throws IllegalStateException when a request failed; the message has the device's explanation.
   *     Also when the service reports a write to a buffer that this client does not have
   */
  public List<byte[]> take() {
    while (takeOne()) {}
    return removeFirst(arrived.size());
  }

  private List<byte[]> removeFirst(int count) {
    List<byte[]> first = arrived.subList(0, count);
    List<byte[]> answers = new ArrayList<>(first);
    first.clear();
    return answers;
  }

  private boolean takeOne() {
    Completion c = receives.poll();
    // Polls the sends even when there is an answer: a client that always finds one would never
    // check them. And receives are flushed after the request that failed, whose completion has the
    // explanation.
    int unused = untaken();
    if (c == null) {
      return false;
    }
    Completions.check(c);
    answeredAt = c.timestamp();
    arrived.add(
        c.opcode() == WorkOpcode.RECEIVE_RDMA_WITH_IMMEDIATE
            ? reported(c.immediate(), c.byteCount())
            : buffer
                .segment()
                .asSlice(c.id() * answerBytes, c.byteCount())
                .toArray(ValueLayout.JAVA_BYTE));
    taken.add(c.id());
    if (isReady) {
      makeRoom();
    }
    return true;
  }

  /** Reposts the receives of taken answers. */
  void makeRoom() {
    while (!taken.isEmpty()) {
      post(taken.remove());
    }
    pair.ringReceiveDoorbell();
  }

  /**
   * Waits for answers, spinning at first. Answers that arrived before a timeout or a failure are
   * kept: later calls of this method and of {@link #take} return them first.
   *
   * @param count number of answers; with 0, for a call that sends none, waits until the service's
   *     device has acknowledged all messages, and returns the answers that arrived nevertheless
   * @throws IllegalStateException when a request of this client failed, or on timeout: then the
   *     program may not answer, or it may have failed, which only {@link Installation#failure}
   *     reports
   */
  public List<byte[]> await(int count, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    Idling idling = new Idling();
    while (arrived.size() < count || count == 0 && untaken() > 0) {
      if (!takeOne()) {
        if (System.nanoTime() - deadline > 0) {
          String seconds =
              BigDecimal.valueOf(patience.toNanos(), 9).stripTrailingZeros().toPlainString();
          throw new IllegalStateException(
              count == 0
                  ? "the message was not acknowledged within %s s".formatted(seconds)
                  : "%d of %d answers arrived within %s s; if the program should have answered, it may have failed: ask Installation.failure() in the process that installed it, or 'bluebell program diagnose' for a resident"
                      .formatted(arrived.size(), count, seconds));
        }
        idling.idle();
      }
    }
    return removeFirst(count == 0 ? arrived.size() : count);
  }

  /** Time at which the latest answer arrived, on the device's clock. */
  public long answeredAt() {
    return answeredAt;
  }

  @Override
  public void close() {
    closings.close();
  }
}
