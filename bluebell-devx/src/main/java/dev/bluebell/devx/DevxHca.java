package dev.bluebell.devx;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaConnectionManager;
import dev.bluebell.hca.HcaDiagnosis;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.DevxAbi.DevxOtherAttrs;
import dev.bluebell.hca.uverbs.DevxAbi.DevxQueryEqnAttrs;
import dev.bluebell.hca.uverbs.Verbs;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A card, used by the kernel's DevX: commands go to its firmware, doorbells directly to its UAR
 * pages, and the kernel pins the memory. Traffic needs no system calls. Needs neither rdma-core nor
 * a native library of Bluebell. Thread-safe.
 */
final class DevxHca implements Hca {
  private final UverbsDevice device;
  private final UverbsFile file;
  private final Context context;
  private final DeviceEvents events;
  private final Ports ports;
  private final CardPages cardPages;
  private final Optional<ClockPage> clock;
  private final Set<ManagerFile> managers = ConcurrentHashMap.newKeySet();

  private DevxHca(UverbsDevice device, UverbsFile file, Context context, DeviceEvents events) {
    this.device = device;
    this.file = file;
    this.context = context;
    this.events = events;
    ports = new Ports(file, this::execute);
    cardPages = new CardPages(file);
    clock =
        context.hasClock() ? Optional.of(ClockPage.map(file, context.clock())) : Optional.empty();
  }

  static DevxHca open(UverbsDevice device) {
    UverbsFile file = UverbsFile.open(device);
    try {
      Context context = Context.open(file);
      return open(device, file, context, DeviceEvents.open(file, device.name()));
    } catch (RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static DevxHca open(
      UverbsDevice device, UverbsFile file, Context context, DeviceEvents events) {
    try {
      return new DevxHca(device, file, context, events);
    } catch (RuntimeException e) {
      events.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return device.name();
  }

  @Override
  public HcaIdentity identity() {
    return device.identity();
  }

  @Override
  public boolean isSoftware() {
    return false;
  }

  /** Read from sysfs, because the kernel does not let processes send the commands. */
  @Override
  public Map<PortCounter, Long> counters() {
    if (file.isLost()) {
      throw file.refusals().lost();
    }
    return device.counters();
  }

  // ---- commands

  @Override
  public HcaObject create(byte[] command) {
    return DevxObject.create(file, events, command);
  }

  @Override
  public byte[] execute(byte[] command) {
    byte[] output =
        file.execute(
            command,
            Ioctl.of(DevxOtherAttrs.METHOD)
                .input(DevxOtherAttrs.CMD_IN, command)
                .output(DevxOtherAttrs.CMD_OUT, DevxObject.outputBytes(command)),
            DevxOtherAttrs.CMD_OUT);
    if (!context.blueFlame() && isGeneralCapabilities(command)) {
      // The card supports it, but this processor or hypervisor has no write-combining pages.
      byte[] capability = View.over(output).getBytes(QueryHcaCapOut.CAPABILITY);
      View unused = View.over(capability).set(CmdHcaCap.BF, false);
      return View.over(output).setBytes(QueryHcaCapOut.CAPABILITY, capability).bytes();
    }
    return output;
  }

  private static boolean isGeneralCapabilities(byte[] command) {
    View in = View.over(command);
    return in.getInt(CmdIn.OPCODE) == CommandOpcode.QUERY_HCA_CAP
        && in.getInt(CmdIn.OP_MOD) == CapabilityType.current(CapabilityType.GENERAL);
  }

  @Override
  public HcaObject allocateProtectionDomain() {
    return KernelDomain.allocate(file);
  }

  // ---- memory and registers

  @Override
  public HcaUar allocateUar() {
    return UarPage.allocate(file, UarPage.Kind.NOT_CACHED);
  }

  @Override
  public HcaUar allocateBlueFlameUar() {
    return UarPage.allocate(
        file, context.blueFlame() ? UarPage.Kind.BLUE_FLAME : UarPage.Kind.NOT_CACHED);
  }

  @Override
  public MemorySegment allocate(long bytes) {
    return file.allocate(bytes);
  }

  @Override
  public HcaObject allocateDeviceMemory(byte[] command, MemorySegment window) {
    return CardMemory.allocate(file, cardPages, command, window);
  }

  @Override
  public HcaMemory registerDeviceMemory(
      HcaObject domain, HcaObject memory, long bytes, int access) {
    return RegisteredMemory.ofCard(
        file,
        KernelDomain.handleOf(file, domain),
        CardMemory.handleOf(file, memory),
        bytes,
        // Older kernels refuse unknown access flags.
        access & HcaAccess.ALL & ~HcaAccess.REMOTE_INVALIDATE);
  }

  @Override
  public HcaUmem registerUmem(MemorySegment memory) {
    checkReachable(memory, true);
    return Umem.register(file, memory, true);
  }

  @Override
  public HcaMemory registerMemory(
      HcaObject domain, MemorySegment memory, long address, int access) {
    checkReachable(memory, (access & HcaAccess.LOCAL_WRITE) != 0);
    int handle = KernelDomain.handleOf(file, domain);
    if ((access & HcaAccess.REMOTE_INVALIDATE) != 0) {
      refuseOnDemand(access);
      return KeyOverUmem.register(file, events, domain.number(), memory, address, access);
    }
    int known = context.optionalAccess() ? access : access & ~Verbs.ACCESS_OPTIONAL_RANGE;
    return RegisteredMemory.register(file, handle, memory, address, known);
  }

  // The kernel has no flag for this right, and pins the memory of keys that commands create.
  private static void refuseOnDemand(int access) {
    if ((access & HcaAccess.ON_DEMAND) != 0) {
      throw new IllegalArgumentException(
          "memory on demand cannot grant remote invalidation: leave one of the two out");
    }
  }

  @Override
  public HcaMemory registerDmaBuf(
      HcaObject domain, int descriptor, long offset, long bytes, int access) {
    if ((access & HcaAccess.REMOTE_INVALIDATE) != 0) {
      throw new IllegalArgumentException("a DMA-BUF cannot grant remote invalidation");
    }
    return RegisteredMemory.ofDmaBuf(
        file, KernelDomain.handleOf(file, domain), descriptor, offset, bytes, access);
  }

  private static void checkReachable(MemorySegment memory, boolean writes) {
    if (!memory.isNative() || writes && memory.isReadOnly()) {
      throw new IllegalArgumentException(
          "the device reaches writable native memory only, not memory on the Java heap");
    }
  }

  // ---- ports, paths, events, time

  @Override
  public int eventQueueNumber(int vector) {
    Ioctl ioctl =
        file.require(
            "querying the event queue of completion vector %d".formatted(vector),
            Ioctl.of(DevxQueryEqnAttrs.METHOD)
                .word(DevxQueryEqnAttrs.USER_VEC, vector)
                .output(DevxQueryEqnAttrs.DEV_EQN, Integer.BYTES));
    return (int) ioctl.result(DevxQueryEqnAttrs.DEV_EQN);
  }

  @Override
  public int completionVectors() {
    return context.completionVectors();
  }

  @Override
  public HcaPath resolve(int port, int gidIndex, Gid destination) {
    return ports.resolve(port, gidIndex, destination);
  }

  @Override
  public HcaEventChannel openEventChannel() {
    return events.openChannel();
  }

  @Override
  public HcaPort queryPort(int port) {
    return ports.query(port);
  }

  @Override
  public Gid queryGid(int port, int index) {
    return ports.gid(port, index);
  }

  /** From the kernel's table, which spares a command for each entry. */
  @Override
  public boolean isRoceV2(int port, int index) {
    return ports.isRoceV2(port, index);
  }

  @Override
  public long clock() {
    return clock
        .orElseThrow(
            () -> file.refusals().unavailable("the kernel does not expose the card's clock"))
        .cycles();
  }

  /** Does nothing, because a card runs itself; throws when the card was removed. */
  @Override
  public int progress() {
    if (file.isLost()) {
      throw file.refusals().lost();
    }
    return 0;
  }

  @Override
  public Optional<HcaConnectionManager> openConnectionManager() {
    return Optional.of(ManagerFile.open(file.refusals(), managers));
  }

  @Override
  public Optional<HcaDiagnosis> diagnosis() {
    return Optional.empty();
  }

  @Override
  public void close() {
    managers.forEach(ManagerFile::close);
    events.close();
    file.close();
  }
}
