package dev.bluebell.program.install;

import dev.bluebell.program.Data;
import dev.bluebell.program.Input;
import dev.bluebell.program.Program;
import dev.bluebell.program.plan.Area;
import dev.bluebell.program.plan.Counter;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.softnic.EngineMode;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.SoftNicOptions;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A software device with a program on it and a client beside it. */
final class Host implements AutoCloseable {
  private static final int TURNS = 1_000_000;

  /** Turns without work after which nothing more comes, also where queues are made to pause. */
  private static final int REST = 500;

  private static final int RECEIVES = 8;
  private static final int RECEIVE_BYTES = 256;

  private final Device device;
  private final ProtectionDomain domain;
  private final Plan plan;
  private final Installation installation;
  private final CompletionQueue sends;
  private final CompletionQueue receives;
  private final RcQueuePair client;
  private final MemoryRegion buffer;

  Host(Plan plan, SoftNicOptions options) {
    this.plan = plan;
    device = Device.over(SoftNic.open(options.withEngine(EngineMode.POLL)));
    domain = device.allocateProtectionDomain();
    installation = Installation.install(device, domain, plan);
    sends = device.createCompletionQueue(4);
    receives = device.createCompletionQueue(RECEIVES);
    client = domain.rcQueuePair(sends).receiveCompletions(receives).receiveQueue(RECEIVES).create();
    buffer = domain.allocate((RECEIVES + 1) * RECEIVE_BYTES, Access.LOCAL_WRITE);
    for (int i = 0; i < RECEIVES; i++) {
      client.receive().scatter(buffer, (long) i * RECEIVE_BYTES, RECEIVE_BYTES).post(i);
    }
    client.ringReceiveDoorbell();
    client.connect(installation.endpoint(), ConnectOptions.DEFAULT);
    installation.connect(client.endpoint());
  }

  /** Sends the message and gives what came back, when all has come to rest. */
  List<byte[]> call(Map<Input<?>, byte[]> inputs) {
    byte[] message = plan.encode(inputs);
    long at = (long) RECEIVES * RECEIVE_BYTES;
    MemorySegment.copy(MemorySegment.ofArray(message), 0, buffer.segment(), at, message.length);
    if (message.length == 0) {
      client.send().signaled(0);
    } else {
      client.send().gather(buffer, at, message.length).signaled(0);
    }
    client.ringDoorbell();
    int idle = 0;
    for (int turn = 0; turn < TURNS && idle < REST; turn++) {
      idle = device.progress() == 0 ? idle + 1 : 0;
    }
    List<byte[]> responses = new ArrayList<>();
    for (Completion c = receives.poll(); c != null; c = receives.poll()) {
      check(c);
      responses.add(
          buffer
              .segment()
              .asSlice(c.id() * RECEIVE_BYTES, c.byteCount())
              .toArray(ValueLayout.JAVA_BYTE));
    }
    for (Counter counter : Counter.values()) {
      CompletionQueue queue = installation.completions(counter);
      for (Completion c = queue.poll(); c != null; c = queue.poll()) {
        check(c);
      }
    }
    return responses;
  }

  private static void check(Completion completion) {
    if (!completion.isSuccess()) {
      throw new AssertionError(completion.status() + ": " + completion.explanation());
    }
  }

  /** Where the program's data lies. */
  Map<Data, Long> addresses(Program program) {
    Map<Data, Long> addresses = new LinkedHashMap<>();
    for (Data data : program.data()) {
      addresses.put(data, installation.memory().address() + plan.offset(plan.area(data.name())));
    }
    return addresses;
  }

  /** What the program's data holds now. */
  byte[] read(Data data) {
    Area area = plan.area(data.name());
    return installation
        .memory()
        .segment()
        .asSlice(plan.offset(area), data.bytes())
        .toArray(ValueLayout.JAVA_BYTE);
  }

  @Override
  public void close() {
    client.close();
    buffer.close();
    installation.close();
    sends.close();
    receives.close();
    domain.close();
    device.close();
  }
}
