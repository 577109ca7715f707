package dev.bluebell.softnic;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaHosting;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaManagement;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaPrecedence;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.structure.View;
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
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Port;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CrossChannel;
import dev.bluebell.softnic.queue.ObjectTable;
import dev.bluebell.softnic.queue.Staging;
import dev.bluebell.softnic.queue.ValueWaits;
import dev.bluebell.softnic.timing.Hosts;
import dev.bluebell.softnic.translation.ReorderedMemory;
import dev.bluebell.softnic.transport.Endpoint;
import dev.bluebell.softnic.transport.LateReceives;
import dev.bluebell.softnic.transport.Network;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.wire.Wire;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The software ConnectX: an {@link Hca} in this process that executes commands and work queue
 * entries as the hardware does, and explains every failure.
 */
public final class SoftNic implements Hca {
  /** Name of the device. */
  public static final String NAME = "soft";

  private static final Set<Integer> QUERIES =
      Set.of(
          CommandOpcode.QUERY_HCA_CAP,
          CommandOpcode.QUERY_ADAPTER,
          CommandOpcode.QUERY_SPECIAL_CONTEXTS,
          CommandOpcode.QUERY_ROCE_ADDRESS,
          CommandOpcode.QUERY_HCA_VPORT_CONTEXT,
          CommandOpcode.QUERY_HCA_VPORT_GID,
          CommandOpcode.QUERY_HCA_VPORT_PKEY,
          CommandOpcode.MAD_IFC,
          CommandOpcode.QUERY_LAG,
          CommandOpcode.QUERY_VPORT_COUNTER,
          CommandOpcode.QUERY_Q_COUNTER,
          CommandOpcode.QUERY_CONG_STATISTICS);

  private final SoftNicOptions options;
  private final DeviceTime time;
  private final Engine engine;
  private final Firmware firmware;
  private final SoftDiagnosis diagnosis;
  private final EventDispatcher events;
  private final @Nullable EngineThread thread;
  private final boolean runByPollers;
  private final @Nullable ManualClock virtual;
  private final Client client;
  private final Port port;
  private final Wire wire;

  // Of the device, however many clients share it.
  private final AtomicBoolean closed;

  private SoftNic(SoftNicOptions options, Surroundings fabric) {
    this.options = options;
    port = Port.of(options.link(), Identities.of(options.link()));
    time = new DeviceTime();
    events = new EventDispatcher();
    Adversary adversary = adversary(options);
    Faults faults = options.faults() == null ? null : new Faults(options.faults());
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
            options.machine(),
            new CrossChannel(
                inventory.queuePairs(), inventory.completionQueues(), new ValueWaits()),
            adversary,
            counters,
            hosts(options.timing(), inventory),
            faults);
    if (adversary != null) {
      explanations.add(
          "what the order of requests leaves open is drawn; to repeat its draws, open %s:adversary=%d"
              .formatted(NAME, options.machine().adversary()));
    }
    if (faults != null) {
      explanations.add(
          "faults are injected; to repeat them, open %s:%s".formatted(NAME, options.faults()));
      faults.fate(new Doom(chip, inventory, port, time, engine, faults));
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
        new Endpoint(inventory.queuePairs(), inventory.targets(), inventory.groups(), counters);
    LateReceives lateReceives = new LateReceives();
    engine.scratch(chip.staging());
    engine.poll(doorbells);
    engine.poll(lateReceives);
    engine.poll(chip.crossChannel().values());
    ReorderedMemory memory = reordered(chip);
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
    client = engine.own();
    closed = new AtomicBoolean();
  }

  /** The same device, as one of several clients sees it. */
  private SoftNic(SoftNic device, Client client) {
    this.client = client;
    options = device.options;
    port = device.port;
    time = device.time;
    engine = device.engine;
    firmware = device.firmware;
    diagnosis = device.diagnosis;
    events = device.events;
    thread = device.thread;
    runByPollers = device.runByPollers;
    virtual = device.virtual;
    closed = device.closed;
    wire = device.wire;
  }

  /** Gives one of several clients this device, with a share of its own. */
  SoftNic openClient() {
    if (thread != null) {
      thread.watch();
    }
    engine.enter();
    try {
      return new SoftNic(this, engine.open());
    } finally {
      engine.exit();
    }
  }

  /** True when it is the same device, whoever's view of it this is. */
  boolean isSame(SoftNic other) {
    return engine == other.engine;
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
        .add("the fabric is lossy; to repeat its draws, open %s:%s".formatted(NAME, loss));
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

  /** A device without a thread is run by whoever polls, who has a priority of its own. */
  void precede(HcaPrecedence precedence) {
    if (thread != null && options.precedence()) {
      thread.precede(precedence);
    }
  }

  private Fabric timed(Fabric inside, Chip chip) {
    Hosts hosts = chip.hosts();
    return hosts == null
        ? inside
        : new TimedFabric(inside, time, chip.explanations(), engine, hosts);
  }

  private @Nullable ReorderedMemory reordered(Chip chip) {
    ReorderOptions reorder = options.reorder();
    if (reorder == null) {
      return null;
    }
    chip.explanations()
        .add(
            "payload becomes visible out of order where that is allowed; to repeat its draws, open %s:%s"
                .formatted(NAME, reorder));
    ReorderedMemory memory = new ReorderedMemory(time, chip.explanations(), engine, reorder);
    chip.keys().reorder(memory);
    return memory;
  }

  /** Makes the fabric of a device from the one in which its queue pairs reach each other. */
  interface Surroundings {
    Fabric around(Fabric inside, PacketSink sink, Chip chip);
  }

  /** Opens a device of its own for the caller. */
  public static SoftNic open(SoftNicOptions options) {
    return open(options, (inside, sink, chip) -> inside);
  }

  /**
   * Opens a device with a fabric of its own.
   *
   * @param fabric makes it
   */
  static SoftNic open(SoftNicOptions options, Surroundings fabric) {
    SoftNic device = new SoftNic(options, fabric);
    if (device.thread != null) {
      device.thread.start();
    }
    return device;
  }

  /**
   * Runs one duty cycle of a device in mode {@link EngineMode#STEPPED}.
   *
   * @return how much was done; 0 when the device waits for doorbells or for its clock, which with a
   *     {@link Timing} goes on by itself, or when another thread has it, as one that records events
   *     of the JDK's flight recorder does for a moment
   */
  public int step() {
    return step(true);
  }

  // A thorough step looks everywhere before it says that there is nothing to do.
  private int step(boolean thorough) {
    if (!engine.tryEnter()) {
      return 0;
    }
    try {
      // A closed device is never stepped again, so nothing that it named is touched.
      int done = closed.get() ? 0 : engine.step();
      if (done > 0 || closed.get() || !thorough && virtual == null) {
        return done;
      }
      done = engine.stepThoroughly();
      return done == 0 && virtual != null ? jump(virtual) : done;
    } finally {
      engine.exit();
    }
  }

  /** Nothing happens before the next deadline, so it is now; 0 when there is none. */
  private int jump(ManualClock clock) {
    long nanos = engine.nanosToNextDeadline();
    if (nanos == Long.MAX_VALUE) {
      return 0;
    }
    clock.advance(nanos);
    return 1;
  }

  /** Steps until the device waits for something. */
  public void settle() {
    while (step() > 0) {
      Thread.onSpinWait();
    }
  }

  /** Who runs the device. */
  Engine engine() {
    return engine;
  }

  boolean isRunByPollers() {
    return runByPollers;
  }

  /** As {@link #progress}, by a caller that will rest when there is nothing to do. */
  int progressBeforeRest() {
    return runByPollers ? step(true) : progress();
  }

  @Override
  public int progress() {
    if (runByPollers) {
      return step(false);
    }
    if (thread != null) {
      thread.wake();
    }
    return 0;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public HcaIdentity identity() {
    return options.profile().identity();
  }

  // ---- commands

  @Override
  public HcaObject create(byte[] command) {
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    ObjectKind kind =
        ObjectKind.createdBy(opcode)
            .orElseThrow(
                () ->
                    refusal(
                        CommandOpcode.name(opcode),
                        "opcode 0x%x creates no object that a process may have".formatted(opcode)));
    byte[] in = command.clone();
    return new SoftObject(this, kind, in, command(in));
  }

  @Override
  public byte[] execute(byte[] command) {
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    if (!QUERIES.contains(opcode)) {
      throw refusal(
          CommandOpcode.name(opcode),
          "opcode 0x%x is no query of the device; objects are created by create() and used through their handles"
              .formatted(opcode));
    }
    return command(command.clone());
  }

  /** Executes a command whose sender was checked. */
  byte[] command(byte[] command) {
    return command(command, Firmware::execute);
  }

  /** Lets the firmware execute a command, whose sender was checked, in a way of its own. */
  byte[] command(byte[] command, BiFunction<Firmware, byte[], Firmware.Answer> executor) {
    Firmware.Answer answer = owning(() -> executor.apply(firmware, command));
    if (!answer.isOk()) {
      throw new HcaException(
          CommandOpcode.name(View.over(command).getInt(CmdIn.OPCODE)),
          answer.output(),
          answer.explanation());
    }
    return answer.output();
  }

  boolean isClosed() {
    return closed.get();
  }

  void destroy(ObjectKind kind, int number, byte[] command) {
    if (closed.get()) {
      return;
    }
    if (kind == ObjectKind.DC_TARGET) {
      // As the kernel does: only a drained target can be destroyed.
      command(kind.command(CommandOpcode.DRAIN_DCT, number));
    }
    command(command);
    switch (kind) {
      case COMPLETION_QUEUE ->
          events.forget(number, List.of(HcaEvent.COMPLETION, HcaEvent.CQ_ERROR));
      case QUEUE_PAIR ->
          events.forget(
              number,
              List.of(
                  HcaEvent.COMMUNICATION_ESTABLISHED,
                  HcaEvent.WQ_CATASTROPHIC,
                  HcaEvent.WQ_INVALID_REQUEST,
                  HcaEvent.WQ_ACCESS_ERROR,
                  HcaEvent.SRQ_LAST_WQE));
      case DC_TARGET ->
          events.forget(
              number,
              List.of(
                  HcaEvent.DCT_DRAINED,
                  HcaEvent.DCT_KEY_VIOLATION,
                  HcaEvent.WQ_CATASTROPHIC,
                  HcaEvent.WQ_INVALID_REQUEST,
                  HcaEvent.WQ_ACCESS_ERROR));
      case RECEIVE_POOL, XRC_SRQ ->
          events.forget(number, List.of(HcaEvent.SRQ_LIMIT, HcaEvent.SRQ_CATASTROPHIC));
      default -> {}
    }
  }

  HcaException refusal(String what, String explanation) {
    return new HcaException(what, badOperation(), explanation);
  }

  /** The refusal of a call that is no command, and so has no status that its caller knows. */
  private static HcaException refusal(String explanation) {
    return new HcaException(explanation, badOperation());
  }

  private static byte[] badOperation() {
    return View.of(CmdOut.STRUCTURE, 4).set(CmdOut.STATUS, CommandStatus.BAD_OP).bytes();
  }

  private <T> T owning(Supplier<T> action) {
    engine.enter(client);
    try {
      if (closed.get()) {
        throw new IllegalStateException("device " + NAME + " is closed");
      }
      return action.get();
    } finally {
      engine.exit();
    }
  }

  /** Calls the firmware for what is no command. */
  <T> T call(String what, Function<Firmware, T> action) {
    List<T> result = new ArrayList<>(1);
    run(what, called -> result.add(action.apply(called)));
    return result.getFirst();
  }

  /** Calls the firmware for what is no command and has no result. */
  void run(String what, Consumer<Firmware> action) {
    Firmware.Answer answer = owning(() -> firmware.attempt(what, () -> action.accept(firmware)));
    if (!answer.isOk()) {
      throw new HcaException(what, answer.output(), answer.explanation());
    }
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return create(View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD).bytes());
  }

  // ---- memory and registers

  @Override
  public HcaUar allocateUar() {
    return new SoftUar(this, call("allocateUar", Firmware::allocateUar));
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    checkNative(window);
    if (window.byteSize() != Limits.MEMIC_BAR_BYTES
        || window.address() % Limits.MEMIC_PAGE_BYTES != 0) {
      throw new IllegalArgumentException(
          "device memory lies in a window of %d bytes, the size of the BAR, at the start of a page"
              .formatted(Limits.MEMIC_BAR_BYTES));
    }
    byte[] in = command.clone();
    return new SoftObject(
        this,
        ObjectKind.DEVICE_MEMORY,
        in,
        command(in, (firmware, sent) -> firmware.allocateDeviceMemory(sent, window)));
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    checkNative(memory);
    return new SoftUmem(this, call("registerUmem", called -> called.registerUmem(memory)));
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    checkReachable(memory, (access & HcaAccess.LOCAL_WRITE) != 0);
    checkDomain(domain);
    int key =
        call(
            "registerMemory",
            called -> called.registerMemory(domain.number(), memory, address, access));
    return new SoftMemory(this, key);
  }

  void checkDomain(HcaObject domain) {
    if (!(domain instanceof SoftObject object)
        || !object.device().isSame(this)
        || object.kind() != ObjectKind.PROTECTION_DOMAIN) {
      throw new IllegalArgumentException(
          "memory is registered in a protection domain of the same device");
    }
  }

  static void checkNative(MemorySegment memory) {
    checkReachable(memory, true);
  }

  private static void checkReachable(MemorySegment memory, boolean writes) {
    if (!memory.isNative() || writes && memory.isReadOnly()) {
      throw new IllegalArgumentException(
          "the device reaches writable native memory only, not memory on the Java heap");
    }
  }

  @Override
  public Optional<HcaHosting> hosting() {
    return Optional.of(new SoftHosting(this, engine, time, diagnosis));
  }

  @Override
  public Optional<HcaManagement> openManagement() {
    return wire.management().flatMap(queue -> queue.open(this::progress));
  }

  // ---- ports, paths, events, time

  @Override
  public int eventQueueNumber(int vector) {
    if (vector < 0 || vector >= Limits.COMPLETION_VECTORS) {
      throw refusal(
          "completion vector %d: this device has 0 to %d"
              .formatted(vector, Limits.COMPLETION_VECTORS - 1));
    }
    return vector + 1;
  }

  @Override
  public int completionVectors() {
    return Limits.COMPLETION_VECTORS;
  }

  @Override
  public HcaPath resolve(int number, int gidIndex, Gid destination) {
    checkPort(number);
    if (queryGid(number, gidIndex).equals(Gid.ZERO)) {
      throw refusal(
          "entry %d of the GID table is empty; use %s"
              .formatted(
                  gidIndex,
                  port.linkLayer() == LinkLayer.INFINIBAND
                      ? "0, the GID of the port"
                      : "1 (link-local) or %d (IPv4), of RoCE v2".formatted(EthernetPort.IPV4_V2)));
    }
    // A path without a destination is that of an initiator of dynamic connections.
    if (!destination.equals(Gid.ZERO)
        && !port.isOwn(destination)
        && !port.reaches(gidIndex, destination)) {
      throw refusal(whyUnreached(gidIndex, destination));
    }
    return port.resolve(destination);
  }

  private String whyUnreached(int gidIndex, Gid destination) {
    Gid address = port.gid(EthernetPort.IPV4_V2);
    return port.numbers() == null
        ? "this device reaches its own port alone, with %s, and the destination is %s, which is another device: open one device for both ends, such as the socket of 'bluebell serve', or give each device an address with soft:listen=ADDRESS"
            .formatted(port.addresses(), destination)
        : "this device reaches addresses of the family of %s, from entry %d of its GID table, and the destination is %s, from entry %d"
            .formatted(address, EthernetPort.IPV4_V2, destination, gidIndex);
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return new SoftEventChannel(this, events);
  }

  @Override
  public HcaPort queryPort(int number) {
    checkPort(number);
    return port.state();
  }

  @Override
  public Gid queryGid(int number, int index) {
    checkPort(number);
    if (index < 0 || index >= Port.GID_TABLE_LENGTH) {
      throw refusal(
          "GID index %d: the table has %d entries".formatted(index, Port.GID_TABLE_LENGTH));
    }
    return port.gid(index);
  }

  private void checkPort(int number) {
    if (number != Port.NUMBER) {
      throw refusal("port %d: this device has port 1 only".formatted(number));
    }
  }

  @Override
  public long clock() {
    return options.clock().nanos();
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return Optional.of(diagnosis);
  }

  @Override
  public void close() {
    if (client != engine.own()) {
      engine.enter();
      engine.close(client);
      engine.exit();
      return;
    }
    if (closed.get()) {
      return;
    }
    if (thread != null) {
      thread.close();
    }
    engine.enter();
    try {
      closed.set(true);
      engine.end();
      wire.close();
    } finally {
      engine.exit();
    }
  }
}
