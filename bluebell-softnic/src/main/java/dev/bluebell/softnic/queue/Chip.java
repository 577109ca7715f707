package dev.bluebell.softnic.queue;

import dev.bluebell.hca.HcaObserver;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.timing.Hosts;
import dev.bluebell.softnic.translation.KeyTable;
import org.jspecify.annotations.Nullable;

/**
 * The parts of one device that all its units share.
 *
 * @param time the device's cached clock
 * @param keys memory keys
 * @param recorder the flight recorder
 * @param explanations the explanations of failures
 * @param events receives events
 * @param scheduler gives turns
 * @param staging buffer for payload from other processes
 * @param batch the completions of requests that are executed in one go
 * @param machine how work queue entries are treated
 * @param crossChannel the queues that WAIT, SEND_EN and RECV_EN may name
 * @param adversary randomizes the ordering that the specification leaves open; null for none
 * @param counters traffic and error counters
 * @param hosts the cost of work; null when time is not virtual
 * @param faults injected faults; null for none
 */
public record Chip(
    DeviceTime time,
    KeyTable keys,
    FlightRecorder recorder,
    Explanations explanations,
    Events events,
    Scheduler scheduler,
    Staging staging,
    CompletionBatch batch,
    MachineOptions machine,
    CrossChannel crossChannel,
    @Nullable Adversary adversary,
    Counters counters,
    @Nullable Hosts hosts,
    @Nullable Faults faults) {

  /** Adds a sentence about a queue pair to the explanations. */
  public void explainQueuePair(int qpn, String sentence) {
    explanations.add(HcaObserver.Subject.QUEUE_PAIR, qpn, sentence);
  }

  /** Adds a sentence about a completion queue to the explanations. */
  void explainCompletionQueue(int cqn, String sentence) {
    explanations.add(HcaObserver.Subject.COMPLETION_QUEUE, cqn, sentence);
  }
}
