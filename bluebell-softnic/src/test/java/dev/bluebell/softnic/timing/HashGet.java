package dev.bluebell.softnic.timing;

import dev.bluebell.hca.command.Qpc;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.WqeOpcode;
import dev.bluebell.softnic.rig.RawCqe;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.Arrays;
import java.util.List;

/**
 * The requests of RedN's hash get, one probe that finds its key: a client's SEND lets a worker read
 * the bucket and compare the key, and the queue to the client answer with the value. Bucket and
 * fields are scratch memory: they take the time that fields of WQEs would.
 */
final class HashGet {
  private static final int ARGUMENTS = 16;
  private static final int FIELD = 8;
  private static final int PROBE = 6;

  private final Rig rig;
  private final TimedHost server;
  private final TimedHost client;
  private final int bytes;

  HashGet(Rig rig, int bytes) {
    this.rig = rig;
    this.bytes = bytes;
    server = new TimedHost(rig);
    client = new TimedHost(rig);
  }

  /** One READ of the value, in nanoseconds: what no get can be faster than. */
  long read() {
    RawMemory here = client.memory(bytes);
    RawMemory there = server.memory(bytes);
    return Latency.of(rig, client.connect(server).left(), Wqe.read(there, 0).data(here, 0, bytes));
  }

  /** A get, in nanoseconds, from the client's doorbell to its completion. */
  long get(int writers) {
    RawQp asking = client.qp();
    RawQp answering = server.qp(context -> context.set(Qpc.CD_SLAVE_SEND, true));
    asking.connect(answering.number(), new Settings());
    answering.connect(asking.number(), new Settings());
    TimedQueue worker = server.loopback(true, true);
    RawMemory fields = server.memory(64);
    RawMemory value = server.memory(bytes);
    RawMemory result = client.memory(bytes);
    RawMemory arguments = client.memory(ARGUMENTS);
    TimedQueue answer = new TimedQueue(answering);
    answer.write(
        new Wqe(WqeOpcode.RDMA_WRITE_IMM)
            .remote(result.address(0), result.key())
            .data(value, 0, bytes));
    int fenced = ControlSegment.CE_ALWAYS | ControlSegment.FENCE;
    worker
        .write(Wqe.await(answering.receives(), 0).unsignalled())
        .enable(worker, PROBE)
        .write(Wqe.read(fields, 0).data(fields, 16, FIELD).data(fields, 24, FIELD).unsignalled())
        .write(Wqe.compareAndSwap(fields, 32, 0, 1).data(fields, 40, FIELD).control(fenced))
        .await(worker, 0)
        .enable(answer);
    server.loopback(true, false).enable(worker, 2).ring();
    answering.receive(fields.address(48), ARGUMENTS, fields.key());
    asking.receiveNothing();
    rig.settle();
    for (int i = 0; i < writers; i++) {
      TimedHost host = new TimedHost(rig);
      RawMemory from = host.memory(64);
      Wqe[] writes = new Wqe[100];
      Arrays.fill(writes, Wqe.write(server.memory(64), 0).data(from, 0, 64));
      Latency.post(host.connect(server).left(), writes);
    }
    long begin = rig.clock().nanos();
    Latency.post(asking, Wqe.send().data(arguments, 0, ARGUMENTS).unsignalled());
    rig.settle();
    List<RawCqe> completions = asking.receives().poll(1);
    return completions.getFirst().timestamp() - begin;
  }
}
