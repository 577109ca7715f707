package dev.bluebell.cli.devx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.hca.DeviceLostException;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaPath;
import dev.bluebell.hca.HcaPort;
import dev.bluebell.hca.HcaProvider;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.Capabilities.DeviceMemCap;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.QueryCqIn;
import dev.bluebell.hca.command.DeviceCommands.QuerySpecialContextsIn;
import dev.bluebell.hca.command.MemoryCommands.AllocMemicIn;
import dev.bluebell.hca.counter.PortCounter;
import dev.bluebell.hca.structure.View;
import dev.bluebell.program.Condition;
import dev.bluebell.program.Data;
import dev.bluebell.program.Field;
import dev.bluebell.program.Input;
import dev.bluebell.program.Kind;
import dev.bluebell.program.Loaded;
import dev.bluebell.program.Program;
import dev.bluebell.program.ProgramBuilder;
import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Trial;
import dev.bluebell.program.plan.Model;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.DeviceMemory;
import dev.bluebell.verbs.IndirectRegion;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A process that uses a card; its argument selects what it does. */
final class CardUser {
  private static final String CARD = "mlx5_0";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private CardUser() {}

  public static void main(String[] arguments) throws InterruptedException, IOException {
    switch (arguments[0]) {
      case "find" -> find();
      case "close" -> close();
      case "refuse" -> refuse();
      case "program" -> program();
      case "blueflame" -> blueFlame();
      case "memory" -> deviceMemory();
      case "demand" -> onDemand();
      case "huge" -> hugePages();
      case "wait" -> waitForEvents();
      case "meet" -> meet();
      case "lose" -> lose();
      case "leave" -> leave();
      case "call" -> callAll();
      case "traffic" -> send(Integer.parseInt(arguments[1]));
      default -> throw new IllegalArgumentException(arguments[0]);
    }
  }

  private static Hca open() {
    return HcaProvider.require(CARD);
  }

  private static void find() {
    assertThat(Device.names()).contains(CARD, "soft").startsWith("soft");
    try (Hca hca = open()) {
      HcaPort port = hca.queryPort(1);
      assertThat(port.active()).isTrue();
      assertThat(port.mac()).isNotZero();
      Gid own = hca.queryGid(1, 3);
      assertThat(own).isNotEqualTo(Gid.ZERO);
      assertThat(hca.queryGid(1, port.gidTableLength() - 1)).isEqualTo(Gid.ZERO);
      HcaPath path = hca.resolve(1, 3, own);
      assertThat(path.mac()).isEqualTo(port.mac());
      // Every second entry is of RoCE v1.
      assertThat(hca.isRoceV2(1, 3)).isTrue();
      assertThat(hca.isRoceV2(1, 2)).isFalse();
      assertThat(path.udpSourcePort()).isGreaterThanOrEqualTo(0xc000);
      assertThat(hca.resolve(1, 2, hca.queryGid(1, 2)).udpSourcePort()).isZero();
      assertThat(hca.diagnosis()).isEmpty();
      assertThat(hca.counters()).containsKeys(PortCounter.values());
      assertThat(hca.eventQueueNumber(0)).isPositive();
      try (HcaUar plain = hca.allocateUar();
          HcaUar copies = hca.allocateBlueFlameUar()) {
        assertThat(plain.number()).isNotEqualTo(copies.number());
        assertThat(plain.address() % 4096).isZero();
      }
    }
  }

  private static byte[] createCq(Hca hca, HcaUar page, HcaUmem ring, HcaUmem record) {
    View command =
        View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ)
            .set(CreateCqIn.CQ_UMEM_ID, ring.number())
            .set(CreateCqIn.CQ_UMEM_VALID, true);
    command
        .at(CreateCqIn.CQ_CONTEXT)
        .set(Cqc.LOG_CQ_SIZE, 6)
        .set(Cqc.UAR_PAGE, page.number())
        .set(Cqc.C_EQN_OR_APU_ELEMENT, hca.eventQueueNumber(0))
        .set(Cqc.DBR_UMEM_ID, record.number())
        .set(Cqc.DBR_UMEM_VALID, true);
    return command.bytes();
  }

  /** Objects are closed in any order, before and after the device. */
  private static void close() throws IOException {
    Hca hca = open();
    HcaUar page = hca.allocateUar();
    HcaUmem ring = hca.registerUmem(hca.allocate(4096));
    HcaUmem record = hca.registerUmem(hca.allocate(4096));
    HcaObject queue = hca.create(createCq(hca, page, ring, record));
    assertThatExceptionOfType(HcaException.class)
        .isThrownBy(ring::close)
        .withMessageContaining("another object still uses it")
        .satisfies(busy -> assertThat(busy.status()).isEqualTo(CommandStatus.RES_BUSY));
    queue.close();
    queue.close();
    ring.close();
    HcaEventChannel channel = hca.openEventChannel();
    HcaObject domain = hca.allocateProtectionDomain();
    HcaMemory memory = register(hca, domain, hca.allocate(8192));
    hca.close();
    expectThatItIsNotClosedAgain(hca);
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(hca::allocateProtectionDomain)
        .withMessage("device mlx5_0 is closed");
    // A doorbell after the end has no effect.
    MemorySegment.ofAddress(page.address()).reinterpret(4096).set(ValueLayout.JAVA_LONG, 0x800, 1);
    memory.close();
    domain.close();
    record.close();
    page.close();
    assertThat(channel.poll()).isNull();
    channel.close();
  }

  /** New files get the lowest free descriptors: those that the closed device had. */
  private static void expectThatItIsNotClosedAgain(Hca hca) throws IOException {
    List<FileChannel> files = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      files.add(FileChannel.open(Path.of("/proc/self/exe"), StandardOpenOption.READ));
    }
    hca.close();
    for (FileChannel file : files) {
      assertThat(file.read(ByteBuffer.allocate(1))).isEqualTo(1);
      file.close();
    }
  }

  private static HcaMemory register(Hca hca, HcaObject domain, MemorySegment memory) {
    return hca.registerMemory(domain, memory, memory.address(), HcaAccess.LOCAL_WRITE);
  }

  private static void refuse() {
    try (Hca hca = open();
        Hca other = open()) {
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(
              () -> hca.create(View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ).bytes()))
          .withMessageContaining("CREATE_CQ");
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(
              () ->
                  hca.execute(
                      View.command(
                              QuerySpecialContextsIn.STRUCTURE,
                              CommandOpcode.QUERY_SPECIAL_CONTEXTS)
                          .bytes()))
          .withMessageContaining("the kernel's driver does not let processes send this command");
      MemorySegment memory = hca.allocate(8192);
      HcaObject domain = hca.allocateProtectionDomain();
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> hca.registerMemory(domain, memory, 4096 + 64, HcaAccess.LOCAL_WRITE))
          .withMessageContaining("must have the same offset in a page");
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> register(other, domain, memory))
          .withMessageContaining("protection domain of the same device");
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> hca.resolve(1, 7, hca.queryGid(1, 3)))
          .withMessageContaining("entry 7 of the GID table is empty");
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> hca.resolve(1, 3, Gid.ofIpv4(0x0a000001)))
          .withMessageContaining("the kernel finds no route from GID 3 of port 1 to");
    }
  }

  private static void program() {
    ProgramBuilder builder = new ProgramBuilder("hash-get");
    Data buckets = builder.data("buckets", 1024);
    Data values = builder.data("values", 65536);
    Input<Kind.Bytes> key = builder.bytes("key", 6);
    Input<Kind.Pointer> at = builder.pointer("bucket");
    Loaded bucket = builder.load(buckets, at);
    Field<Kind.Bytes> found = bucket.bytes(0, 6);
    Field<Kind.Pointer> value = bucket.pointer(8);
    builder.when(Condition.equal(found, key), () -> builder.respond(values, value, 64));
    values.put(0, Arrays.copyOf("mauve".getBytes(UTF_8), 64));
    buckets.put(48, "colour".getBytes(UTF_8)).put(56, values.pointer(0));
    Program program = builder.build();
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        Trial trial =
            new Trial(
                device, domain, Compiler.compile(program, Target.CHECKED, Model.CONSERVATIVE))) {
      long address = trial.addresses(program).get(buckets) + 48;
      byte[] pointer = ByteBuffer.allocate(8).putLong(address).array();
      trial.send(Map.of(key, "colour".getBytes(UTF_8), at, pointer));
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      List<byte[]> answers = trial.answers();
      while (answers.isEmpty() && System.nanoTime() < deadline) {
        Thread.onSpinWait();
        answers = trial.answers();
      }
      assertThat(answers).hasSize(1);
      assertThat(new String(answers.getFirst(), UTF_8).trim()).isEqualTo("mauve");
    }
  }

  private static void blueFlame() throws InterruptedException {
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(completions).blueFlame(true).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      memory.segment().set(ValueLayout.JAVA_LONG, 0, 42);
      left.write(memory.remote().slice(4096, 8)).gather(memory, 0, 8).signaled(1);
      left.ringDoorbell();
      assertThat(completions.awaitCompletions(PATIENCE)).isTrue();
      completions.poll(
          completion -> assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS));
      assertThat(memory.segment().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(42);
    }
  }

  /** Regions in the card's memory, two of them in one page. */
  private static void deviceMemory() throws InterruptedException {
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        DeviceMemory stays = device.allocateDeviceMemory(64);
        RcQueuePair left = domain.rcQueuePair(completions).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      try (DeviceMemory large = device.allocateDeviceMemory(8192)) {
        large.copyFrom(memory.segment(), 0, 0, 8192);
      }
      try (MemoryRegion region = domain.register(stays, Access.LOCAL_WRITE, Access.REMOTE_WRITE)) {
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(stays::close);
        memory.segment().set(ValueLayout.JAVA_LONG, 0, 42);
        left.write(region.remote().slice(8, 8)).gather(memory, 0, 8).signaled(1);
        left.ringDoorbell();
        assertThat(completions.awaitCompletions(PATIENCE)).isTrue();
        completions.poll(
            completion -> assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS));
        stays.copyTo(8, memory.segment(), 4096, 8);
        assertThat(memory.segment().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(42);
      }
    }
  }

  /** Registers a mapped file that the card does not need to pin. */
  private static void onDemand() throws InterruptedException, IOException {
    Path path = Files.createTempFile("bluebell", ".mapped");
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MemorySegment mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, 8192, Arena.ofAuto());
      sendThrough(mapped, Access.ON_DEMAND);
      try (Hca hca = open();
          HcaObject domain = hca.allocateProtectionDomain()) {
        assertThatExceptionOfType(IllegalArgumentException.class)
            .isThrownBy(
                () ->
                    hca.registerMemory(
                        domain,
                        mapped,
                        mapped.address(),
                        HcaAccess.ON_DEMAND | HcaAccess.REMOTE_INVALIDATE))
            .withMessageContaining("leave one of the two out");
        assertThatExceptionOfType(HcaException.class)
            .isThrownBy(() -> hca.registerDmaBuf(domain, 0, 0, 4096, HcaAccess.LOCAL_WRITE))
            .withMessageContaining("registering DMA-BUF 0 was refused");
      }
    } finally {
      Files.delete(path);
    }
  }

  /** Registers memory on huge pages, pinned and on demand; does nothing if none are reserved. */
  private static void hugePages() throws InterruptedException {
    MemorySegment memory = HugePage.map();
    if (!memory.equals(MemorySegment.NULL)) {
      sendThrough(memory);
      sendThrough(memory, Access.ON_DEMAND, Access.HUGE_PAGES);
    }
  }

  /** Copies the first 8 bytes of the memory to its second page by a WRITE. */
  private static void sendThrough(MemorySegment bytes, Access... permissions)
      throws InterruptedException {
    List<Access> access = new ArrayList<>(List.of(permissions));
    access.addAll(List.of(Access.LOCAL_WRITE, Access.REMOTE_WRITE));
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.register(bytes, access.toArray(Access[]::new));
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(completions).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      memory.segment().set(ValueLayout.JAVA_LONG, 0, 42);
      memory.segment().set(ValueLayout.JAVA_LONG, 4096, 0);
      left.write(memory.remote().slice(4096, 8)).gather(memory, 0, 8).signaled(1);
      left.ringDoorbell();
      assertThat(completions.awaitCompletions(PATIENCE)).isTrue();
      completions.poll(
          completion -> assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS));
      assertThat(memory.segment().get(ValueLayout.JAVA_LONG, 4096)).isEqualTo(42);
    }
  }

  /** An event wakes a waiting thread, and so does closing its channel. */
  private static void waitForEvents() throws InterruptedException {
    try (Hca hca = open()) {
      HcaEventChannel channel = hca.openEventChannel();
      channel.subscribe(null, HcaEvent.PORT_CHANGE, 5);
      assertThat(channel.await(Duration.ofMillis(1).toNanos())).isNull();
      Thread closer = Thread.ofPlatform().start(channel::close);
      assertThat(channel.await(-1)).isNull();
      closer.join();
    }
  }

  /** Connects both ends through the kernel's connection manager. */
  private static void meet() throws IOException, InterruptedException {
    Device device = Device.open(CARD);
    ProtectionDomain domain = device.allocateProtectionDomain();
    MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    CompletionQueue completions = device.createCompletionQueue(16);
    Supplier<RcQueuePair> queuePairs = () -> domain.rcQueuePair(completions).create();
    Connections connections = Connections.rdmaCm(device);
    RdmaServer server = connections.listen(new InetSocketAddress("127.0.0.1", 0));
    RdmaClient client = connections.client(server.address());
    CompletableFuture<RdmaConnection> connecting =
        CompletableFuture.supplyAsync(() -> connect(client, queuePairs));
    ConnectionRequest request = server.next(PATIENCE);
    assertThat(request).isNotNull();
    RdmaConnection theirs = request.accept(queuePairs, Offer.of(memory.remote()));
    RdmaConnection mine = connecting.join();
    RemoteMemory remote = mine.offer().memory().getFirst();
    mine.queuePair().write(remote.slice(32, 32)).gather(memory, 0, 32).signaled(1);
    mine.queuePair().ringDoorbell();
    assertThat(completions.awaitCompletions(PATIENCE)).isTrue();
    completions.poll(completion -> assertThat(completion.isSuccess()).isTrue());
    mine.close();
    assertThat(theirs.ended().join()).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    theirs.close();
    // The end of the device wakes a thread that waits for events.
    device.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> server.next(PATIENCE));
  }

  private static RdmaConnection connect(RdmaClient client, Supplier<RcQueuePair> queuePairs) {
    try {
      return client.connect(queuePairs, Offer.NOTHING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void lose() throws InterruptedException {
    Device device = Device.open(CARD);
    CompletionQueue completions = device.createCompletionQueue(16);
    System.out.println("ready");
    AsyncEvent event = device.awaitEvent(PATIENCE);
    assertThat(event).isNotNull();
    assertThat(event.type()).isEqualTo(AsyncEvent.Type.DEVICE_FATAL);
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> completions.poll(completion -> {}))
        .withMessageContaining("device mlx5_0 is gone");
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(() -> device.awaitEvent(PATIENCE));
    assertThatExceptionOfType(DeviceLostException.class).isThrownBy(device::counters);
    assertThatExceptionOfType(DeviceLostException.class)
        .isThrownBy(device::allocateProtectionDomain);
    completions.close();
    device.close();
  }

  /** Sends messages one after another, and polls for each. */
  private static void send(int messages) {
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(64, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionQueue completions = device.createCompletionQueue(16);
        RcQueuePair left = domain.rcQueuePair(completions).create();
        RcQueuePair right = domain.rcQueuePair(completions).create()) {
      left.connect(right.endpoint());
      right.connect(left.endpoint());
      for (int i = 0; i < messages; i++) {
        left.write(memory.remote().slice(32, 32)).gather(memory, 0, 32).signaled(i);
        left.ringDoorbell();
        while (completions.poll(each -> assertThat(each.isSuccess()).isTrue()) == 0) {
          Thread.onSpinWait();
        }
      }
    }
  }

  /** Makes the same calls in the same order as {@code library_calls.c} makes libmlx5 do. */
  private static void callAll() {
    try (Hca hca = open()) {
      View unused = CapabilityType.query(hca::execute, CapabilityType.GENERAL);
      useQueue(hca);
      useMemory(hca);
      HcaPort port = hca.queryPort(1);
      assertThat(hca.resolve(1, 3, hca.queryGid(1, 3)).mac()).isEqualTo(port.mac());
    }
    try (Device device = Device.open(CARD);
        ProtectionDomain domain = device.allocateProtectionDomain();
        IndirectRegion region = domain.allocateIndirect(4)) {
      assertThat(region.lkey()).isNotZero();
    }
  }

  private static void useQueue(Hca hca) {
    try (HcaUar copies = hca.allocateBlueFlameUar();
        HcaUar plain = hca.allocateUar();
        HcaUmem ring = hca.registerUmem(hca.allocate(4096));
        HcaUmem record = hca.registerUmem(hca.allocate(4096));
        HcaEventChannel channel = hca.openEventChannel();
        HcaObject queue = hca.create(createCq(hca, plain, ring, record))) {
      assertThat(copies.number()).isNotEqualTo(plain.number());
      channel.subscribe(queue, HcaEvent.COMPLETION, 1);
      channel.subscribe(null, HcaEvent.PORT_CHANGE, 2);
      byte[] unused =
          queue.query(
              View.command(QueryCqIn.STRUCTURE, CommandOpcode.QUERY_CQ)
                  .set(QueryCqIn.CQN, queue.number())
                  .bytes());
      unused =
          queue.modify(
              View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
                  .set(ModifyCqIn.CQN, queue.number())
                  .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 1)
                  .bytes());
    }
  }

  private static void useMemory(Hca hca) {
    View caps = CapabilityType.query(hca::execute, CapabilityType.DEV_MEM);
    MemorySegment window = hca.allocate(caps.get(DeviceMemCap.MEMIC_BAR_SIZE));
    byte[] command =
        View.command(AllocMemicIn.STRUCTURE, CommandOpcode.ALLOC_MEMIC)
            .set(AllocMemicIn.RANGE_START_ADDR, caps.get(DeviceMemCap.MEMIC_BAR_START_ADDR))
            .set(AllocMemicIn.RANGE_SIZE, caps.get(DeviceMemCap.MEMIC_BAR_SIZE))
            .set(AllocMemicIn.MEMIC_SIZE, 64)
            .bytes();
    try (HcaObject domain = hca.allocateProtectionDomain()) {
      register(hca, domain, hca.allocate(8192)).close();
      MemorySegment onDemand = hca.allocate(8192);
      hca.registerMemory(
              domain,
              onDemand,
              onDemand.address(),
              HcaAccess.LOCAL_WRITE | HcaAccess.ON_DEMAND | HcaAccess.HUGE_PAGES)
          .close();
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> hca.registerDmaBuf(domain, 0, 4096, 8192, HcaAccess.LOCAL_WRITE));
      try (HcaObject memory = hca.allocateDeviceMemory(command, window);
          HcaMemory key = hca.registerDeviceMemory(domain, memory, 64, HcaAccess.LOCAL_WRITE)) {
        assertThat(key.lkey()).isNotZero();
      }
    }
  }

  /** Ends without closing anything, like a killed process. */
  private static void leave() {
    Device device = Device.open(CARD);
    ProtectionDomain domain = device.allocateProtectionDomain();
    CompletionQueue completions = device.createCompletionQueue(16);
    RcQueuePair queuePair = domain.rcQueuePair(completions).create();
    queuePair.connect(queuePair.endpoint());
    assertThat(domain.allocate(8192).lkey()).isNotZero();
    Runtime.getRuntime().halt(0);
  }
}
