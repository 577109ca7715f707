package dev.bluebell.lab.compare;

import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.install.Completions;
import dev.bluebell.program.offload.Routine;
import dev.bluebell.program.offload.Tables;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A service on the processor of its host: polls for messages of one client, and answers each. A
 * message consists of the inputs of the program, in order. One thread at a time, not necessarily
 * the one that created it.
 */
public final class Server implements AutoCloseable {
  private static final int RECEIVES = 2;

  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final List<Input<?>> inputs;
  private final Routine routine;
  private final Tables tables;
  private final int messageBytes;
  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final RcQueuePair pair;

  /** Queue pair that sends the answers: the receiving one, or a separate one in a chain. */
  private final RcQueuePair out;

  private final MemoryRegion messages;
  private final MemoryRegion answers;

  public Server(
      Device device, ProtectionDomain domain, Program program, Routine routine, Tables tables) {
    this(device, domain, program, routine, tables, false);
  }

  /**
   * @param link true when answers do not go to the caller
   */
  Server(
      Device device,
      ProtectionDomain domain,
      Program program,
      Routine routine,
      Tables tables,
      boolean link) {
    this.routine = routine;
    this.tables = tables;
    inputs = program.inputs();
    messageBytes = inputs.stream().mapToInt(Input::bytes).sum();
    sends = device.createCompletionQueue(Client.MAX_ANSWERS);
    closings.push(sends::close);
    receives = device.createCompletionQueue(RECEIVES);
    closings.push(receives::close);
    pair = domain.rcQueuePair(sends).receiveCompletions(receives).receiveQueue(RECEIVES).create();
    closings.push(pair::close);
    if (link) {
      out = domain.rcQueuePair(sends).create();
      closings.push(out::close);
    } else {
      out = pair;
    }
    messages = domain.allocate((long) RECEIVES * Math.max(1, messageBytes), Access.LOCAL_WRITE);
    closings.push(messages::close);
    answers =
        domain.allocate((long) Client.MAX_ANSWERS * Client.MAX_ANSWER_BYTES, Access.LOCAL_WRITE);
    closings.push(answers::close);
    for (int i = 0; i < RECEIVES; i++) {
      post(i);
    }
  }

  private void post(long slot) {
    pair.receive().scatter(messages, slot * messageBytes, messageBytes).post(slot);
    pair.ringReceiveDoorbell();
  }

  /** The client's message for a call. */
  public static byte[] message(Program program, Map<Input<?>, byte[]> inputs) {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    for (Input<?> input : program.inputs()) {
      message.writeBytes(inputs.get(input));
    }
    return message.toByteArray();
  }

  /** Endpoint for the client to connect to. */
  public QueuePairEndpoint endpoint() {
    return pair.endpoint();
  }

  /** Endpoint that sends the answers. */
  QueuePairEndpoint answers() {
    return out.endpoint();
  }

  public void connect(QueuePairEndpoint client) {
    connect(client, client);
  }

  /** Connects to the caller and, in a chain, to the receiver of the answers. */
  void connect(QueuePairEndpoint before, QueuePairEndpoint behind) {
    pair.connect(before, ConnectOptions.DEFAULT);
    if (!out.equals(pair)) {
      out.connect(behind, ConnectOptions.DEFAULT);
    }
  }

  /**
   * Answers the next message, if there is one. A message with a wrong length, or with a pointer
   * outside of the tables, is not answered.
   *
   * @return false when there was none
   * @throws IllegalStateException when a request failed
   */
  public boolean poll() {
    int unused = Completions.drain(sends);
    Completion completion = receives.poll();
    if (completion == null) {
      return false;
    }
    Completions.check(completion);
    long slot = completion.id();
    boolean whole = completion.byteCount() == messageBytes;
    byte[] message =
        messages
            .segment()
            .asSlice(slot * messageBytes, messageBytes)
            .toArray(ValueLayout.JAVA_BYTE);
    post(slot);
    if (whole) {
      answer(message);
    }
    return true;
  }

  private void answer(byte[] message) {
    Map<Input<?>, byte[]> call = new HashMap<>();
    int at = 0;
    for (Input<?> input : inputs) {
      call.put(input, Arrays.copyOfRange(message, at, at + input.bytes()));
      at += input.bytes();
    }
    List<byte[]> given;
    try {
      given = routine.answer(call, tables);
    } catch (IndexOutOfBoundsException outside) {
      return;
    }
    for (int i = 0; i < given.size(); i++) {
      byte[] each = given.get(i);
      long slot = (long) i * Client.MAX_ANSWER_BYTES;
      answers.segment().asSlice(slot, each.length).copyFrom(MemorySegment.ofArray(each));
      out.send().gather(answers, slot, each.length).signaled(i);
    }
    out.ringDoorbell();
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
