package dev.bluebell.lab.paper;

import dev.bluebell.verbs.MemoryRegion;

/**
 * The requests of RedN's list walk, posted for one call. For each node, the worker reads it,
 * compares its key, and enables the answer; with a break, it continues with the next node only when
 * there was no answer.
 *
 * <p>The break: the swap turns a NOP of another queue into a WRITE, which changes the answer to
 * generate no completion. The next node waits for a completion.
 */
final class Walk {
  private static final int ARGUMENTS = 16;
  private static final int FIELD = 8;
  private static final int FIELDS = 64;
  private static final int NODES = 8;
  private static final int VALUE = 64;

  /**
   * WQEBBs of the READ, which takes two, the compare-and-swap, the WAIT for it, and the SEND_EN of
   * the answer.
   */
  private static final int COMPARING_WQEBBS = 5;

  /** The same, with the SEND_EN of the break, the WAIT for it, and the WAIT for the answer. */
  private static final int BREAKING_WQEBBS = 8;

  private final Testbed bed;
  private final boolean breaks;
  private final Client client;
  private final Queue asking;
  private final Queue worker;
  private final Queue answering;
  private final Queue breaking;
  private final MemoryRegion fields;
  private final MemoryRegion value;
  private final Queue launcher;

  private Walk(Testbed bed, boolean breaks) {
    this.bed = bed;
    this.breaks = breaks;
    Node server = bed.node();
    client = new Client(bed, VALUE);
    asking = client.queue();
    answering = server.managed();
    asking.connect(answering);
    worker = Node.looped(server.managed(), Node.ONE_READ);
    breaking = server.loopedManaged();
    fields = server.memory(FIELDS);
    value = server.memory(VALUE);
    launcher = server.loopedMaster();
    answering.pair().receive().scatter(fields, 48, ARGUMENTS).post(0);
    answering.pair().ringReceiveDoorbell();
  }

  /**
   * Follows a list, to its end or with a break; returns the latency in nanoseconds.
   *
   * @param found position of the node with the key, from 0
   */
  static double follow(Testbed bed, int found, boolean breaks) {
    Walk walk = new Walk(bed, breaks);
    walk.worker.await(walk.answering.receives(), 0);
    walk.launcher.enable(walk.worker, walk.worker.index() + 1).ring();
    for (int node = 0; node < NODES; node++) {
      walk.enableNode(node == NODES - 1);
      walk.compare();
      walk.answer(node, node == found);
    }
    return walk.call();
  }

  /** A SEND_EN of all entries of a node, up to the SEND_EN of the next. */
  private void enableNode(boolean last) {
    int wqebbs = (breaks ? BREAKING_WQEBBS : COMPARING_WQEBBS) + (last ? 0 : 1);
    worker.enable(worker, worker.index() + 1 + wqebbs);
  }

  private void compare() {
    worker
        .pair()
        .read(fields.remote())
        .scatter(fields, 16, FIELD)
        .scatter(fields, 24, FIELD)
        .scatter(fields, 32, FIELD)
        .unsignaled(0);
    worker
        .pair()
        .compareAndSwap(fields.address() + 32, fields.rkey(), 0, 1)
        .scatter(fields, 40)
        .fence()
        .signaled(0);
  }

  private void answer(int node, boolean found) {
    worker.await(worker, node);
    if (breaks) {
      breakIf(found);
      worker.enable(breaking).await(breaking, node);
    }
    if (found) {
      answering
          .pair()
          .writeImmediate(client.result().remote(), 0)
          .gather(value, 0, VALUE)
          .unsignaled(0);
    } else if (breaks) {
      answering.nop();
    } else {
      answering.pair().nop().unsignaled(0);
    }
    worker.enable(answering);
    if (breaks) {
      worker.await(answering, node);
    }
  }

  private void breakIf(boolean found) {
    if (found) {
      breaking.pair().write(fields.remote()).gather(fields, 0, FIELD).signaled(0);
    } else {
      breaking.nop();
    }
  }

  private double call() {
    bed.rest();
    client.message(asking);
    long begin = client.start(asking);
    bed.rest();
    return asking.lastReceive() - begin;
  }
}
