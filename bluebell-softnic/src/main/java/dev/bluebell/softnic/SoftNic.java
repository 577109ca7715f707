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
import dev.bluebell.softnic.command.Limits;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.softnic.option.Timing;
import dev.bluebell.softnic.port.EthernetPort;
import dev.bluebell.softnic.port.Gids;
import dev.bluebell.softnic.port.Multicast;
import dev.bluebell.softnic.port.Port;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The software ConnectX: an {@link Hca} in this process that executes commands and work queue
 * entries as the hardware does, and explains every failure.
 */
public final class SoftNic implements Hca {
  /** Name of the device. */
  public static final String NAME = "soft";

  private final SoftDevice device;
  private final Client client;

  private SoftNic(SoftDevice device, Client client) {
    this.device = device;
    this.client = client;
  }

  /** Opens this device for another client, with a share of its own. */
  SoftNic openClient() {
    return new SoftNic(device, device.open());
  }

  /** True when both are views of the same device. */
  boolean isSame(SoftNic other) {
    return device == other.device;
  }

  /** Opens a new device. */
  public static SoftNic open(SoftNicOptions options) {
    return open(options, (inside, sink, chip) -> inside);
  }

  /**
   * Opens a device with a fabric of its own.
   *
   * @param fabric makes the fabric
   */
  static SoftNic open(SoftNicOptions options, SoftDevice.Surroundings fabric) {
    SoftDevice device = new SoftDevice(options, fabric);
    device.start();
    return new SoftNic(device, device.engine.own());
  }

  /**
   * Runs one duty cycle of a device in mode {@link EngineMode#STEPPED}. While another thread
   * executes a command on the device, waits for its end.
   *
   * @return how much was done; 0 when the device waits for doorbells or for its clock, which with a
   *     {@link Timing} advances by itself
   */
  public int step() {
    return device.step();
  }

  /** Steps until the device waits for something. */
  public void settle() {
    while (step() > 0) {
      Thread.onSpinWait();
    }
  }

  /** The engine that runs the device. */
  Engine engine() {
    return device.engine;
  }

  /** The subscriptions to the device's events. */
  EventDispatcher events() {
    return device.events;
  }

  boolean isRunByPollers() {
    return device.isRunByPollers();
  }

  /** Like {@link #progress}, for a caller that will rest when there is nothing to do. */
  int progressBeforeRest() {
    return device.isRunByPollers() ? device.tryStep(true) : device.progress();
  }

  @Override
  public int progress() {
    return device.progress();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public HcaIdentity identity() {
    return device.options.profile().identity();
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
                        "opcode 0x%x does not create an object that a process may own"
                            .formatted(opcode)));
    byte[] in = command.clone();
    return new SoftObject(this, kind, in, command(in));
  }

  @Override
  public byte[] execute(byte[] command) {
    int opcode = View.over(command).getInt(CmdIn.OPCODE);
    if (!device.firmware.isQuery(opcode)) {
      throw refusal(
          CommandOpcode.name(opcode),
          "opcode 0x%x is not a query of the device; objects are created by create() and used through their handles"
              .formatted(opcode));
    }
    return command(command.clone());
  }

  /** Executes a command whose sender was checked. */
  byte[] command(byte[] command) {
    return command(command, Firmware::execute);
  }

  /** Executes a command, whose sender was checked, with the given executor. */
  byte[] command(byte[] command, BiFunction<Firmware, byte[], Firmware.Answer> executor) {
    Firmware.Answer answer = owning(() -> executor.apply(device.firmware, command));
    if (!answer.isOk()) {
      throw new HcaException(
          CommandOpcode.name(View.over(command).getInt(CmdIn.OPCODE)),
          answer.output(),
          answer.explanation());
    }
    return answer.output();
  }

  boolean isClosed() {
    return device.isClosed();
  }

  void destroy(ObjectKind kind, int number, byte[] command) {
    if (device.isClosed()) {
      return;
    }
    if (kind == ObjectKind.DC_TARGET) {
      // Like the kernel: only a drained target can be destroyed.
      command(kind.command(CommandOpcode.DRAIN_DCT, number));
    }
    command(command);
    device.events.forget(number, HcaEvent.typesOf(kind));
  }

  HcaException refusal(String what, String explanation) {
    return new HcaException(what, badOperation(), explanation);
  }

  /** The exception for a refused call that is not a command and so has no command status. */
  private static HcaException refusal(String explanation) {
    return new HcaException(explanation, badOperation());
  }

  private static byte[] badOperation() {
    return View.of(CmdOut.STRUCTURE, 4).set(CmdOut.STATUS, CommandStatus.BAD_OP).bytes();
  }

  private <T> T owning(Supplier<T> action) {
    Engine engine = device.engine;
    engine.enter(client);
    try {
      if (device.isClosed()) {
        throw new IllegalStateException("device " + NAME + " is closed");
      }
      return action.get();
    } finally {
      engine.exit();
    }
  }

  /** Makes a call to the firmware that is not a command. */
  <T> T call(String what, Function<Firmware, T> action) {
    List<T> result = new ArrayList<>(1);
    run(what, called -> result.add(action.apply(called)));
    return result.getFirst();
  }

  /** Makes a call to the firmware that is not a command and has no result. */
  void run(String what, Consumer<Firmware> action) {
    Firmware firmware = device.firmware;
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
          "device memory needs a window of %d bytes, the size of the BAR, that starts at a page boundary"
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
          "memory must be registered in a protection domain of the same device");
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
    return Optional.of(new SoftHosting(this, device));
  }

  @Override
  public Optional<HcaManagement> openManagement() {
    return device.wire.management().flatMap(queue -> queue.open(this::progress));
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
    Port port = device.port;
    Gid source = queryGid(number, gidIndex);
    if (source.equals(Gid.ZERO)) {
      throw refusal(
          "entry %d of the GID table is empty; use %s"
              .formatted(
                  gidIndex,
                  port.linkLayer() == LinkLayer.INFINIBAND
                      ? "0, the GID of the port"
                      : "1 (link-local) or %d (IPv4), of RoCE v2".formatted(EthernetPort.IPV4_V2)));
    }
    // A DC initiator's path has no destination.
    if (!destination.equals(Gid.ZERO)
        && !port.isOwn(destination)
        && !port.reaches(gidIndex, destination)) {
      throw refusal(whyUnreached(gidIndex, destination));
    }
    if (isOfAnotherFamily(gidIndex, destination)) {
      throw refusal(
          "the GIDs of a path must be both IPv4 or both IPv6: entry %d of the GID table is %s, but the destination is %s; use entry %d"
              .formatted(
                  gidIndex,
                  Gids.text(source),
                  Gids.text(destination),
                  (destination.isIpv4() ? EthernetPort.IPV4_V2 : EthernetPort.LINK_LOCAL_V2)
                      - (EthernetPort.isV1(gidIndex) ? 1 : 0)));
    }
    return port.resolve(gidIndex, destination);
  }

  /**
   * True when Linux finds no route, because routes lead to addresses of one family. It needs no
   * route to groups, nor to link-local peers of RoCE v1. Mirrors {@code ib_core verbs.c:
   * ib_resolve_eth_dmac} and {@code addr.c: rdma_resolve_ip}.
   */
  private boolean isOfAnotherFamily(int gidIndex, Gid destination) {
    return device.port.gid(gidIndex).isIpv4() != destination.isIpv4()
        && (destination.isIpv4() || !EthernetPort.isV1(gidIndex))
        && !destination.equals(Gid.ZERO)
        && !Multicast.isGroup(destination);
  }

  private String whyUnreached(int gidIndex, Gid destination) {
    Port port = device.port;
    Gid address = port.gid(EthernetPort.IPV4_V2);
    return port.numbers() == null
        ? "open one device on both ends, such as the socket of 'bluebell serve', or give each end an address with soft:listen=ADDRESS: this device reaches only its own port, with %s, and the destination %s is another device"
            .formatted(port.addresses(), Gids.text(destination))
        : "this device reaches only addresses of the same family as %s, from entry %d of its GID table, but the destination is %s, from entry %d"
            .formatted(Gids.text(address), EthernetPort.IPV4_V2, Gids.text(destination), gidIndex);
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return new SoftEventChannel(this, device.events);
  }

  @Override
  public HcaPort queryPort(int number) {
    checkPort(number);
    return device.port.state();
  }

  @Override
  public Gid queryGid(int number, int index) {
    checkPort(number);
    if (index < 0 || index >= Port.GID_TABLE_LENGTH) {
      throw refusal(
          "GID index %d: the table has %d entries".formatted(index, Port.GID_TABLE_LENGTH));
    }
    return device.port.gid(index);
  }

  private void checkPort(int number) {
    if (number != Port.NUMBER) {
      throw refusal("port %d: this device has port 1 only".formatted(number));
    }
  }

  @Override
  public long clock() {
    return device.options.clock().nanos();
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return Optional.of(device.diagnosis);
  }

  @Override
  public void close() {
    if (client == device.engine.own()) {
      device.close();
    } else {
      device.close(client);
    }
  }
}
