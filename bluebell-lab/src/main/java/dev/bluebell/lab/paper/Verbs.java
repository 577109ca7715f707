package dev.bluebell.lab.paper;

import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ReliableQueuePair;
import dev.bluebell.verbs.RequestModifiers;
import java.util.ArrayList;
import java.util.List;

/** Single requests: latency of one, and rate of a host. */
final class Verbs {
  /** Payload of the paper's verbs in bytes. */
  static final int BYTES = 64;

  private static final int QUEUES = 16;
  private static final int REQUESTS = 60;

  private Verbs() {}

  /** A verb of the paper's, between memory of two hosts. */
  enum Verb {
    READ {
      @Override
      RequestModifiers start(ReliableQueuePair from, MemoryRegion here, MemoryRegion there) {
        return from.read(there.remote()).scatter(here, 0, BYTES);
      }
    },
    WRITE {
      @Override
      RequestModifiers start(ReliableQueuePair from, MemoryRegion here, MemoryRegion there) {
        return from.write(there.remote()).gather(here, 0, BYTES);
      }
    },
    CAS {
      @Override
      RequestModifiers start(ReliableQueuePair from, MemoryRegion here, MemoryRegion there) {
        return from.compareAndSwap(there.remote(), 0, 1).scatter(here, 0);
      }
    },
    ADD {
      @Override
      RequestModifiers start(ReliableQueuePair from, MemoryRegion here, MemoryRegion there) {
        return from.fetchAndAdd(there.remote(), 1).scatter(here, 0);
      }
    };

    abstract RequestModifiers start(ReliableQueuePair from, MemoryRegion here, MemoryRegion there);
  }

  /** Time from the doorbell for some NOPs to the completion of the last, in nanoseconds. */
  static double chain(Testbed bed, int length) {
    Queue queue = bed.node().loopedMaster();
    for (int i = 0; i < length; i++) {
      queue.nop();
    }
    return run(bed, queue);
  }

  /** Latency of one request to another host, in nanoseconds. */
  static double latency(Testbed bed, Verb verb) {
    Node client = bed.node();
    Node server = bed.node();
    Queue queue = client.master();
    queue.connect(server.master());
    verb.start(queue.pair(), client.memory(BYTES), server.memory(BYTES)).signaled(0);
    return run(bed, queue);
  }

  private static double run(Testbed bed, Queue queue) {
    long begin = bed.now();
    queue.ring();
    bed.rest();
    return queue.lastSend() - begin;
  }

  /** Requests of one host in millions per second, when many queues saturate it. */
  static double rate(Testbed bed, Verb verb) {
    Node client = bed.node();
    Node server = bed.node();
    MemoryRegion here = client.memory(BYTES);
    MemoryRegion there = server.memory(BYTES);
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < QUEUES; i++) {
      Queue queue = client.master();
      queue.connect(server.master());
      queues.add(queue);
    }
    verb.start(queues.getFirst().pair(), here, there).signaled(0);
    double alone = run(bed, queues.getFirst());
    long begin = bed.now();
    for (Queue queue : queues) {
      for (int i = 0; i < REQUESTS; i++) {
        verb.start(queue.pair(), here, there).signaled(0);
      }
      queue.ring();
    }
    bed.rest();
    long end = queues.stream().mapToLong(Queue::lastSend).max().orElseThrow();
    return QUEUES * REQUESTS * 1_000 / (end - begin - alone);
  }
}
