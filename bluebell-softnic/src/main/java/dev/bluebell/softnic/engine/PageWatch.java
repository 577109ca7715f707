package dev.bluebell.softnic.engine;

import dev.bluebell.hca.HcaObserver.Subject;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.diagnosis.Happening;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.UarPage;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.Scheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * A UAR page and the queues that ring on it. A doorbell names one queue, which is served at once;
 * since others may have been written over, the page's other queues are looked at too, a few a step,
 * so that a thousand idle ones do not hold up a busy one.
 */
final class PageWatch {
  private static final int LOOKS_PER_STEP = 8;

  private final UarPage page;
  private final ObjectTable<QueuePair> allQueuePairs;
  private final Scheduler scheduler;
  private final FlightRecorder recorder;
  private final Explanations explanations;
  private final List<QueuePair> queuePairs = new ArrayList<>();
  private final List<CompletionQueue> completionQueues = new ArrayList<>();
  private int nextLook;
  private int looksLeft;

  PageWatch(
      UarPage page,
      ObjectTable<QueuePair> allQueuePairs,
      Scheduler scheduler,
      FlightRecorder recorder,
      Explanations explanations) {
    this.page = page;
    this.allQueuePairs = allQueuePairs;
    this.scheduler = scheduler;
    this.recorder = recorder;
    this.explanations = explanations;
  }

  UarPage page() {
    return page;
  }

  List<QueuePair> queuePairs() {
    return queuePairs;
  }

  List<CompletionQueue> completionQueues() {
    return completionQueues;
  }

  /** Takes the doorbells off the page; how many there were. */
  int poll() {
    int done = 0;
    long doorbell = page.takeSendDoorbell();
    if (doorbell != 0) {
      ring(doorbell);
      done++;
    }
    long arm = page.takeCqDoorbell();
    if (arm != 0) {
      arm(arm);
      done++;
    }
    return done;
  }

  private void ring(long doorbell) {
    int qpn = ControlSegment.qpn(doorbell);
    QueuePair named = allQueuePairs.find(qpn);
    if (named == null || named.uarPage() != page.number()) {
      explanations.add(
          Subject.UAR_PAGE,
          page.number(),
          "a send doorbell on UAR page %d names QP 0x%x (qpn in bytes 4–6), but no such queue pair was created with that uar_page; its own page must be rung"
              .formatted(page.number(), qpn));
    } else {
      look(named);
      explainMissingRecord(doorbell, named);
    }
    if (queuePairs.size() <= LOOKS_PER_STEP) {
      for (int i = 0; i < queuePairs.size(); i++) {
        look(queuePairs.get(i));
      }
    } else {
      looksLeft = queuePairs.size();
    }
  }

  private void explainMissingRecord(long doorbell, QueuePair named) {
    if (named.sendQueue().isNone()) {
      explanations.add(
          Subject.QUEUE_PAIR,
          named.number(),
          "a doorbell of QP 0x%x rang, but it was created without a send queue (no_sq)"
              .formatted(named.number()));
      return;
    }
    int beyond = ControlSegment.wqeIndex(doorbell) - named.sendQueue().producer() & 0xffff;
    if (beyond < named.sendQueue().size() && named.sendQueue().pending() == 0) {
      explanations.add(
          Subject.QUEUE_PAIR,
          named.number(),
          "a doorbell of QP 0x%x names WQE %d, but its doorbell record's send counter is %d; write the counter before the doorbell"
              .formatted(
                  named.number(), ControlSegment.wqeIndex(doorbell), named.sendQueue().producer()));
    }
  }

  private void look(QueuePair queuePair) {
    if (queuePair.sendQueue().look()) {
      recorder.record(Happening.DOORBELL, queuePair.number(), queuePair.sendQueue().producer(), 0);
      scheduler.activate(queuePair);
    }
  }

  private void arm(long register) {
    int cqn = CqArm.cqn(register);
    boolean found = false;
    for (int i = 0; i < completionQueues.size(); i++) {
      CompletionQueue queue = completionQueues.get(i);
      if (queue.number() == cqn) {
        found = true;
        queue.arm();
      } else if (queue.hasNewArmRecord()) {
        queue.arm();
      }
    }
    if (!found) {
      explanations.add(
          Subject.UAR_PAGE,
          page.number(),
          "a CQ doorbell on UAR page %d names CQ 0x%x, but no such CQ was created with that uar_page; it is ignored"
              .formatted(page.number(), cqn));
    }
  }

  /** True while queue pairs are left whose doorbell may have been written over. */
  boolean isToBeSwept() {
    return looksLeft > 0;
  }

  /** Looks at some of those queue pairs; how many. */
  int sweep() {
    int looks = Math.min(looksLeft, LOOKS_PER_STEP);
    for (int i = 0; i < looks && !queuePairs.isEmpty(); i++) {
      nextLook = nextLook + 1 >= queuePairs.size() ? 0 : nextLook + 1;
      look(queuePairs.get(nextLook));
    }
    looksLeft -= looks;
    return looks;
  }
}
