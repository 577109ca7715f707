package dev.bluebell.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Completion queues that are filled to their size repeatedly, also by many queue pairs. */
@Conformance
class FullQueueTest {
  private static final int WORDS = 1024;

  @Test
  void threeTimesAsManyCompletionsAsAQueueHasEntriesGoThroughIt(Bench bench) {
    int entries = 256;
    int count = 3 * entries;
    Ends ends = bench.ends().entries(entries).both(plan -> plan.sendQueue(entries)).connect();
    Buffer source = ends.left().buffer(WORDS * 8).fill(1);
    Buffer target = ends.right().buffer(WORDS * 8);
    long posted = 0;
    List<Done> done = new ArrayList<>();
    while (done.size() < count) {
      // Not the queue's size, so each round ends at a different entry.
      long until = Math.min(count, done.size() + 200L);
      while (posted < until) {
        ends.left()
            .queuePair()
            .write(target.remote(posted * 8))
            .gather(source.region(), posted * 8, 8)
            .signaled(posted);
        posted++;
      }
      ends.left().queuePair().ringDoorbell();
      done.addAll(ends.left().await((int) posted - done.size()));
    }
    for (int i = 0; i < count; i++) {
      done.get(i).requireSuccess(i);
    }
    assertThat(target.bytes(0, count * 8)).isEqualTo(source.bytes(0, count * 8));
    assertThat(target.bytes(count * 8L, WORDS * 8 - count * 8)).containsOnly(0);
    bench.expectCalm(ends.left().completions());
  }

  /** Queue pairs that are connected in pairs and complete in one queue. */
  private static final class Crowd {
    private static final int ROUNDS = 4;
    private static final int REQUESTS = 2;

    private final Bench bench;
    private final CompletionQueue shared;
    private final List<RcQueuePair> queuePairs = new ArrayList<>();
    private final Buffer source;
    private final Buffer target;
    private final Buffer inbox;

    Crowd(Bench bench, int count) {
      this.bench = bench;
      shared = bench.device().createCompletionQueue(2 * REQUESTS * count);
      ProtectionDomain domain = bench.domain();
      MemoryRegion all = domain.allocate(8L * count * REQUESTS, Access.rights());
      source = new Buffer(all).fill(2);
      target = new Buffer(domain.allocate(8L * count, Access.rights()));
      inbox = new Buffer(domain.allocate(8L * count, Access.rights()));
      for (int i = 0; i < count; i++) {
        queuePairs.add(domain.rcQueuePair(shared).sendQueue(4).receiveQueue(1).create());
      }
      for (int i = 0; i < count; i++) {
        queuePairs.get(i).connect(queuePairs.get(i ^ 1).endpoint());
      }
    }

    /** Each queue pair writes 8 bytes to its peer and sends it 8 other bytes. */
    void post() {
      for (int i = 0; i < queuePairs.size(); i++) {
        RcQueuePair queuePair = queuePairs.get(i);
        queuePair.receive().scatter(inbox.region(), 8L * i, 8).post(2);
        queuePair.ringReceiveDoorbell();
      }
      for (int i = 0; i < queuePairs.size(); i++) {
        RcQueuePair queuePair = queuePairs.get(i);
        long from = 16L * i;
        queuePair.write(target.remote(8L * (i ^ 1))).gather(source.region(), from, 8).signaled(0);
        queuePair.send().gather(source.region(), from + 8, 8).signaled(1);
        queuePair.ringDoorbell();
      }
    }

    /** Expects three completions of each queue pair: its write, its send, and its receive. */
    void expect() {
      int[] seen = new int[queuePairs.size()];
      for (int i = 0; i < 3 * queuePairs.size(); i++) {
        Completion completion = bench.awaitView(shared);
        Done.of(completion).requireSuccess(completion.id());
        int which = queuePairs.indexOf(completion.queuePair());
        assertThat(completion.queuePairNumber()).isEqualTo(queuePairs.get(which).number());
        int bit = 1 << completion.id();
        assertThat(seen[which] & bit).as("seen before").isZero();
        assertThat(completion.id() == 1 && seen[which] % 2 == 0)
            .as("the send before the write")
            .isFalse();
        seen[which] |= bit;
      }
      for (int i = 0; i < queuePairs.size(); i++) {
        long from = 16L * (i ^ 1);
        assertThat(target.getLong(8L * i)).isEqualTo(source.getLong(from));
        assertThat(inbox.getLong(8L * i)).isEqualTo(source.getLong(from + 8));
      }
    }
  }

  @Test
  void fiveHundredAndTwelveQueuePairsCompleteInOneQueue(Bench bench) {
    Crowd crowd = new Crowd(bench, 512);
    for (int round = 0; round < Crowd.ROUNDS; round++) {
      crowd.source.fill(round);
      crowd.post();
      crowd.expect();
    }
    bench.expectCalm(crowd.shared);
  }
}
