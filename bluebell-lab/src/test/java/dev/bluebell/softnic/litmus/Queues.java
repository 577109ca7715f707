package dev.bluebell.softnic.litmus;

import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.Uar;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Effort;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.Scheduler;
import dev.bluebell.softnic.engine.Work;
import dev.bluebell.softnic.option.MachineOptions;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.CqMemory;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.translation.KeyTable;
import dev.bluebell.softnic.translation.Umem;
import dev.bluebell.verbs.ring.CompletionRing;
import dev.bluebell.verbs.ring.CompletionRingLayout;
import dev.bluebell.verbs.ring.LocalMemory;
import dev.bluebell.verbs.ring.QueueTable;
import dev.bluebell.verbs.ring.SendRing;
import dev.bluebell.verbs.ring.SendRingLayout;
import dev.bluebell.verbs.ring.WorkQueues;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The driver's end and the device's end of a send queue and of a completion queue, directly
 * connected by shared memory and a UAR page.
 */
final class Queues {
  static final int QPN = 0x1234;
  static final int CQN = 0x56;

  private static final Engine ENGINE = new Engine(() -> 0, new DeviceTime(), null);

  private static final Scheduler NOBODY =
      new Scheduler() {
        @Override
        public void activate(Work work) {}

        @Override
        public void schedule(Work work) {}

        @Override
        public Client client() {
          return ENGINE.own();
        }

        @Override
        public long bytesPerTurn() {
          return ENGINE.bytesPerTurn();
        }

        @Override
        public Effort effort() {
          return ENGINE.effort();
        }
      };

  private static final int LOG_SENDS = 4;
  private static final int LOG_COMPLETIONS = 3;
  private static final int SENDS_AT = 0;
  private static final int COMPLETIONS_AT = 64 << LOG_SENDS;
  private static final int SEND_RECORD_AT = COMPLETIONS_AT + (64 << LOG_COMPLETIONS);
  private static final int COMPLETION_RECORD_AT = SEND_RECORD_AT + 64;

  private final MemorySegment memory = Arena.ofAuto().allocate(COMPLETION_RECORD_AT + 64, 64);
  private final Umem umem = new Umem(1, memory);

  /** Number by which completions name the send queue. */
  final int userIndex;

  /** The source of completions' timestamps. */
  final DeviceTime time = new DeviceTime();

  // ---- the device's ends
  final UarPage page = new UarPage(1);
  final SendQueue deviceSends =
      new SendQueue(QPN, umem, address(SENDS_AT), LOG_SENDS, address(SEND_RECORD_AT));
  final CompletionQueue deviceCompletions;
  final CompletionBatch batch;
  private int events;

  // ---- the driver's ends
  final SendRing driverSends;
  final CompletionRing driverCompletions;

  Queues(boolean blueFlame) {
    driverSends =
        new SendRing(
            SendRingLayout.of(
                    address(SENDS_AT),
                    LOG_SENDS,
                    QPN,
                    address(SEND_RECORD_AT),
                    page.address() + Uar.BLUEFLAME,
                    64)
                .withBlueFlame(blueFlame));
    CompletionRingLayout.initialize(address(COMPLETIONS_AT), LOG_COMPLETIONS, Cqe.BYTES);
    QueueTable table = new QueueTable();
    userIndex = table.reserve();
    table.set(userIndex, new WorkQueues(QPN, driverSends, null));
    driverCompletions =
        new CompletionRing(
            new CompletionRingLayout(
                address(COMPLETIONS_AT),
                LOG_COMPLETIONS,
                Cqe.BYTES,
                CQN,
                address(COMPLETION_RECORD_AT),
                page.address() + Uar.CQ_DOORBELL),
            table,
            new LocalMemory(),
            null);
    Chip chip =
        new Chip(
            time,
            new KeyTable(64, new Explanations(), (one, other) -> true, NOBODY.effort(), null),
            new FlightRecorder(time, 16),
            new Explanations(),
            (type, number, syndrome) -> events++,
            NOBODY,
            new Staging(),
            new CompletionBatch(),
            MachineOptions.DEFAULT,
            new CrossChannel(),
            null,
            new Counters(),
            null,
            null);
    batch = chip.batch();
    deviceCompletions =
        new CompletionQueue(
            chip,
            CQN,
            View.of(Cqc.STRUCTURE).set(Cqc.LOG_CQ_SIZE, LOG_COMPLETIONS).bytes(),
            new CqMemory(umem, address(COMPLETIONS_AT), umem, address(COMPLETION_RECORD_AT)));
  }

  private long address(int offset) {
    return memory.address() + offset;
  }

  /** Events that the device raised so far. */
  int events() {
    return events;
  }
}
