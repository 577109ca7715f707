package dev.bluebell.program.install;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A program on a device, and a client on the same device, with a domain of its own, that calls it
 * once. For devices that run when they are polled ({@code soft:engine=poll}): the trial ends when
 * the device has come to rest. One thread at a time.
 */
public final class Trial implements AutoCloseable {
  private static final int MAX_ANSWERS = 16;
  private static final int MAX_ANSWER_BYTES = 4096;
  private static final long MESSAGE_AT = (long) MAX_ANSWERS * MAX_ANSWER_BYTES;

  // A device that draws pauses does nothing in some turns, and goes on.
  private static final int IDLE_TURNS = 500;
  private static final int MAX_TURNS = 1_000_000;

  private final Device device;
  private final Plan plan;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Installation installation;
  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final RcQueuePair client;
  private final MemoryRegion buffer;

  /**
   * Installs a program and connects the client.
   *
   * @throws dev.bluebell.hca.HcaException when the device refuses
   */
  public Trial(Device device, ProtectionDomain domain, Plan plan) {
    this.device = device;
    this.plan = plan;
    installation = Installation.install(device, domain, plan);
    closings.push(installation::close);
    ProtectionDomain own = device.allocateProtectionDomain();
    closings.push(own::close);
    sends = device.createCompletionQueue(2);
    closings.push(sends::close);
    receives = device.createCompletionQueue(MAX_ANSWERS);
    closings.push(receives::close);
    client = own.rcQueuePair(sends).receiveCompletions(receives).receiveQueue(MAX_ANSWERS).create();
    closings.push(client::close);
    buffer =
        own.allocate(
            MESSAGE_AT + Math.max(MAX_ANSWER_BYTES, plan.messageBytes()), Access.LOCAL_WRITE);
    closings.push(buffer::close);
    for (int i = 0; i < MAX_ANSWERS; i++) {
      client.receive().scatter(buffer, (long) i * MAX_ANSWER_BYTES, MAX_ANSWER_BYTES).post(i);
    }
    client.ringReceiveDoorbell();
    client.connect(installation.endpoint(), ConnectOptions.DEFAULT);
    installation.connect(client.endpoint());
  }

  /** Where the data of the program lies. */
  public Map<Data, Long> addresses(Program program) {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    for (Data data : program.data()) {
      addresses.put(data, installation.region(plan.area(data.name())).address());
    }
    return addresses;
  }

  /**
   * Sends the client's message.
   *
   * @return the answers, in order
   * @throws IllegalStateException when a request of the program or of the client fails, or the
   *     device comes to no rest; the message has what the device says of it
   */
  public List<byte[]> call(Map<Input<?>, byte[]> inputs) {
    return call(plan.encode(inputs));
  }

  /** As {@link #call(Map)}, with any message. */
  List<byte[]> call(byte[] message) {
    MemorySegment.copy(
        MemorySegment.ofArray(message), 0, buffer.segment(), MESSAGE_AT, message.length);
    if (message.length == 0) {
      client.send().signaled(0);
    } else {
      client.send().gather(buffer, MESSAGE_AT, message.length).signaled(0);
    }
    client.ringDoorbell();
    rest();
    for (Counter counter : Counter.values()) {
      drain(installation.completions(counter));
    }
    drain(sends);
    List<byte[]> answers = new ArrayList<>();
    for (Completion c = receives.poll(); c != null; c = receives.poll()) {
      check(c);
      answers.add(
          buffer
              .segment()
              .asSlice(c.id() * MAX_ANSWER_BYTES, c.byteCount())
              .toArray(ValueLayout.JAVA_BYTE));
    }
    return answers;
  }

  /** Lets the device run until it has nothing to do. */
  void rest() {
    int idle = 0;
    for (int turn = 0; idle < IDLE_TURNS; turn++) {
      if (turn == MAX_TURNS) {
        throw new IllegalStateException("the device has come to no rest: it runs without end");
      }
      idle = device.progress() == 0 ? idle + 1 : 0;
    }
  }

  private static void drain(CompletionQueue queue) {
    for (Completion c = queue.poll(); c != null; c = queue.poll()) {
      check(c);
    }
  }

  private static void check(Completion completion) {
    if (!completion.isSuccess()) {
      throw new IllegalStateException(
          "QP 0x%x: %s, %s"
              .formatted(
                  completion.queuePairNumber(), completion.status(), completion.explanation()));
    }
  }

  /** What data of the program holds now. */
  public byte[] read(Data data) {
    return installation
        .region(plan.area(data.name()))
        .segment()
        .asSlice(0, data.bytes())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  /** Where what the client sends completes. */
  CompletionQueue sends() {
    return sends;
  }

  /** The client's queue pair. */
  RcQueuePair client() {
    return client;
  }

  /** The client's memory. */
  MemoryRegion buffer() {
    return buffer;
  }

  /** The installed program. */
  public Installation installation() {
    return installation;
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
