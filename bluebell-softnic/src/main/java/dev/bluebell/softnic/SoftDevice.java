package dev.bluebell.softnic;

import dev.bluebell.hca.HcaPrecedence;
import dev.bluebell.softnic.command.Firmware;
import dev.bluebell.softnic.command.Inventory;
import dev.bluebell.softnic.command.Limits;
import dev.bluebell.softnic.diagnosis.Counters;
import dev.bluebell.softnic.diagnosis.DeviceTime;
import dev.bluebell.softnic.diagnosis.Explanations;
import dev.bluebell.softnic.diagnosis.FlightRecorder;
import dev.bluebell.softnic.doorbell.DoorbellFaults;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.engine.Adversary;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.engine.EngineThread;
import dev.bluebell.softnic.engine.Lookouts;
import dev.bluebell.softnic.fabric.AdverseFabric;
import dev.bluebell.softnic.fabric.CutFabric;
import dev.bluebell.softnic.fabric.Fabric;
import dev.bluebell.softnic.fabric.Loopback;
import dev.bluebell.softnic.fabric.LossyFabric;
import dev.bluebell.softnic.fabric.OrderedFabric;
import dev.bluebell.softnic.fabric.PacedFabric;
import dev.bluebell.softnic.fabric.PacketSink;
import dev.bluebell.softnic.fabric.TimedFabric;
import dev.bluebell.softnic.injection.Faults;
import dev.bluebell.softnic.option.CongestionControl;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.LossOptions;
import dev.bluebell.softnic.option.ManualClock;
import dev.bluebell.softnic.option.ReorderOptions;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionBatch;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.timing.Hosts;
import dev.bluebell.softnic.translation.ReorderedMemory;
import dev.bluebell.softnic.transport.Endpoint;
import dev.bluebell.softnic.transport.Network;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * The software ConnectX that clients share: its units, connected according to the options, and the
 * thread that runs them, if there is one. Thread-safe.
 */
final class SoftDevice {
  final SoftNicOptions options;
  final DeviceTime time;
  final Engine engine;
  final Firmware firmware;
  final SoftDiagnosis diagnosis;
  final EventDispatcher events;
  final Port port;
  final Wire wire;

  private final @Nullable EngineThread thread;
  private final boolean runByPollers;
  private final @Nullable ManualClock virtual;
  private volatile boolean closed;

  /** Makes the fabric of a device around the internal one that connects its own queue pairs. */
  interface Surroundings {
    Fabric around(Fabric inside, PacketSink sink, Chip chip);
  }

  /**
   * @param fabric makes its fabric
   */
  SoftDevice(SoftNicOptions options, Surroundings fabric) {
    this.options = options;
    port = Port.of(options.link(), Identities.of(options.link()));
    time = new DeviceTime();
    events = new EventDispatcher();
    Adversary adversary = adversary(options);
    Faults faults =
        options.faults() == null
            ? null
            : new Faults(options.faults(), port.firstQpn(), Limits.FIRST_DCT);
    engine = new Engine(options.clock()::nanos, time, adversary);
    Explanations explanations = new Explanations();
    Inventory inventory = new Inventory(explanations, port, engine.effort());
    Counters counters = new Counters();
    Chip chip =
        new Chip(
            time,
            inventory.keys(),
            new FlightRecorder(time, options.recorderEntries()),
            explanations,
            events,
            engine,
            new Staging(),
            new CompletionBatch(),
            options.machine(),
            new CrossChannel(inventory.queuePairs(), inventory.completionQueues(), new Lookouts()),
            adversary,
            counters,
            hosts(options.timing(), inventory),
            faults);
    if (adversary != null) {
      explanations.add(
          "orderings that are not guaranteed are randomized; to repeat the random choices, open %s:adversary=%d"
              .formatted(SoftNic.NAME, options.machine().adversary()));
    }
    if (faults != null) {
      explanations.add(
          "faults are injected; to repeat them, open %s:%s"
              .formatted(SoftNic.NAME, options.faults()));
      faults.fate(new Doom(chip, inventory, port, faults));
    }
    Doorbells doorbells =
        new Doorbells(
            inventory.queuePairs(),
            chip.recorder(),
            chip.explanations(),
            engine,
            options.strictDoorbells(),
            faults == null ? null : new DoorbellFaults(faults, time, engine, chip.explanations()));
    Endpoint endpoint =
        new Endpoint(
            inventory.queuePairs(),
            inventory.targets(),
            inventory.groups(),
            counters,
            explanations);
    Lookouts lateReceives = new Lookouts();
    engine.scratch(chip.staging());
    engine.poll(doorbells);
    engine.poll(lateReceives);
    engine.poll(chip.crossChannel().values());
    ReorderedMemory memory = reordered(chip, inventory);
    PacketSink sink = memory == null ? endpoint : new OrderedFabric.Sink(endpoint, memory);
    wire = new Wire(options, port.mac(), time, explanations);
    Fabric direct =
        wire.around(new Loopback(engine, port, sink), sink, port, engine, counters, faults);
    Fabric loopback =
        adversary == null ? direct : new AdverseFabric(direct, explanations, engine, adversary);
    Fabric cut = faults == null ? loopback : new CutFabric(loopback, sink, faults);
    Fabric made = fabric.around(timed(lossy(cut, sink, chip), chip), sink, chip);
    Fabric ordered = memory == null ? made : new OrderedFabric(made, memory);
    Fabric whole = paced(wire.captured(ordered), chip);
    Network network = new Network(whole, endpoint, lateReceives, inventory.xrcSrqs());
    firmware = new Firmware(chip, engine, doorbells, inventory, network, options.profile());
    diagnosis = new SoftDiagnosis(chip, engine, inventory, whole);
    runByPollers = options.engine() == EngineMode.POLL;
    virtual =
        options.timing() != null && options.clock() instanceof ManualClock manual ? manual : null;
    thread =
        options.engine() == EngineMode.THREAD
            ? new EngineThread(
                engine, "bluebell-soft", options.spinNanos(), options.maxSleepNanos(), wire.sleep())
            : null;
  }

  private static @Nullable Adversary adversary(SoftNicOptions options) {
    Long seed = options.machine().adversary();
    return seed == null ? null : new Adversary(seed);
  }

  private Fabric lossy(Fabric inside, PacketSink sink, Chip chip) {
    LossOptions loss = options.loss();
    if (loss == null) {
      return inside;
    }
    chip.explanations()
        .add(
            "the fabric is lossy; to repeat its random choices, open %s:%s"
                .formatted(SoftNic.NAME, loss));
    return new LossyFabric(inside, sink, time, chip.recorder(), chip.explanations(), engine, loss);
  }

  private Fabric paced(Fabric inside, Chip chip) {
    return options.link().congestion() == CongestionControl.OFF
        ? inside
        : new PacedFabric(inside, time, chip.explanations(), engine);
  }

  private static @Nullable Hosts hosts(@Nullable Timing timing, Inventory inventory) {
    ObjectTable<QueuePair> queuePairs = inventory.queuePairs();
    return timing == null
        ? null
        : new Hosts(
            timing,
            qpn -> {
              QueuePair found = queuePairs.find(qpn);
              return found == null ? Hosts.ELSEWHERE : found.pd();
            });
  }

  private Fabric timed(Fabric inside, Chip chip) {
    Hosts hosts = chip.hosts();
    return hosts == null
        ? inside
        : new TimedFabric(inside, time, chip.explanations(), engine, hosts);
  }

  private @Nullable ReorderedMemory reordered(Chip chip, Inventory inventory) {
    ReorderOptions reorder = options.reorder();
    if (reorder == null) {
      return null;
    }
    chip.explanations()
        .add(
            "payload becomes visible out of order where that is allowed; to repeat the random choices, open %s:%s"
                .formatted(SoftNic.NAME, reorder));
    ReorderedMemory memory =
        new ReorderedMemory(time, chip.explanations(), engine, reorder, inventory::owner);
    engine.scratch(memory);
    chip.keys().reorder(memory);
    return memory;
  }

  boolean isRunByPollers() {
    return runByPollers;
  }

  boolean isClosed() {
    return closed;
  }

  /** Starts the thread of the device, if it has one. */
  void start() {
    if (thread != null) {
      thread.start();
    }
  }

  /** Opens another client. */
  Client open() {
    if (thread != null) {
      thread.watch();
    }
    engine.enter();
    try {
      return engine.open();
    } finally {
      engine.exit();
    }
  }

  /** Gives the device's thread precedence; polling threads keep their own priority. */
  void precede(HcaPrecedence precedence) {
    if (thread != null && options.precedence()) {
      thread.precede(precedence);
    }
  }

  /** Runs the device if pollers run it; otherwise wakes its thread. */
  int progress() {
    if (runByPollers) {
      return tryStep(false);
    }
    if (thread != null) {
      thread.wake();
    }
    return 0;
  }

  /**
   * Runs one duty cycle, and looks everywhere before returning that there is nothing to do. Waits
   * while another thread executes a command, because 0 makes the caller advance the clock. Not for
   * a thread that owns the engine.
   */
  int step() {
    while (!engine.tryEnter()) {
      Thread.yield();
    }
    return stepAndExit(true);
  }

  /**
   * Runs one duty cycle unless another thread has the engine.
   *
   * @param thorough whether to look everywhere before returning that there is nothing to do
   */
  int tryStep(boolean thorough) {
    return engine.tryEnter() ? stepAndExit(thorough) : 0;
  }

  private int stepAndExit(boolean thorough) {
    try {
      // A closed device is never stepped again, so it touches no memory that was registered with
      // it.
      int done = closed ? 0 : engine.step();
      if (done > 0 || closed || !thorough && virtual == null) {
        return done;
      }
      done = engine.stepThoroughly();
      if (done == 0 && engine.isLooking()) {
        return 1;
      }
      return done == 0 && virtual != null ? jump(virtual) : done;
    } finally {
      engine.exit();
    }
  }

  /**
   * Moves the clock to the next deadline, because nothing happens before it; returns 0 when there
   * is none.
   */
  private int jump(ManualClock clock) {
    long nanos = engine.nanosToNextDeadline();
    if (nanos == Long.MAX_VALUE) {
      return 0;
    }
    clock.advance(nanos);
    return 1;
  }

  /** Ends a client. */
  void close(Client client) {
    engine.enter();
    engine.close(client);
    engine.exit();
  }

  void close() {
    if (closed) {
      return;
    }
    if (thread != null) {
      thread.close();
    }
    engine.enter();
    try {
      closed = true;
      engine.end();
      wire.close();
    } finally {
      engine.exit();
    }
  }
}
