package dev.bluebell.server.remote;

import static dev.bluebell.verbs.Access.LOCAL_WRITE;
import static dev.bluebell.verbs.Access.REMOTE_READ;
import static dev.bluebell.verbs.Access.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rtr2rtsQpIn;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.server.Account;
import dev.bluebell.server.ClientUid;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.server.remote.Message.Request;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.EngineMode;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Objects that a client hands over to the device process outlive the client. */
class ResidentsTest extends Hosted {
  private static final Account ACCOUNT = Quotas.of(Map.of()).open(1);
  private static final WatchedProcess PROCESS = watchThis();

  private static WatchedProcess watchThis() {
    try {
      return WatchedProcess.open((int) ProcessHandle.current().pid());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HcaResidents residents(Device device) {
    return device.residents().orElseThrow();
  }

  @Test
  void aResidentAnswersAfterItsClientIsGoneUntilItIsRemoved() throws InterruptedException {
    try (Peer client = new Peer(host.name(), Peer.Payload.FOREIGN)) {
      Peer server = new Peer(host.name(), Peer.Payload.SHARED);
      Peer.connect(client, server);
      long address = server.memory().address();
      int rkey = server.memory().rkey();
      var unused = server.device().handOver("mailbox");
      server.close();

      client.fill(5);
      client.write(address, rkey, 3000);
      client.awaitSuccess();
      byte[] written = client.bytes(0, 3000);
      client.fill(6);
      client
          .queuePair()
          .read(address, rkey)
          .scatter(client.memory().address(), 3000, client.memory().lkey())
          .signaled(1);
      client.queuePair().ringDoorbell();
      client.awaitSuccess();
      assertThat(client.bytes(0, 3000)).isEqualTo(written);

      HcaResidents.Resident mailbox = residents(client.device()).list().getFirst();
      assertThat(mailbox.name()).isEqualTo("mailbox");
      assertThat(mailbox.pid()).isEqualTo((int) ProcessHandle.current().pid());
      assertThat(mailbox.objects()).isPositive();
      assertThat(mailbox.bytes()).isGreaterThanOrEqualTo(Peer.BYTES);

      residents(client.device()).forceRemove("mailbox");
      assertThat(residents(client.device()).list()).isEmpty();
      client.write(address, rkey, 8);
      assertThat(client.await()).isNotEqualTo(CompletionStatus.SUCCESS);
    }
    host.expectNothingLeft();
  }

  @Test
  void handingOverClosesTheDevice() {
    Device device = host.open();
    var unused = device.allocateProtectionDomain().allocate(64, LOCAL_WRITE);
    var unusedToken = device.handOver("one");
    assertThatThrownBy(device::allocateProtectionDomain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> device.handOver("two")).isInstanceOf(IllegalStateException.class);
    device.close();
    try (Device other = host.open()) {
      assertThat(residents(other).list()).hasSize(1);
      residents(other).forceRemove("one");
      assertThatThrownBy(() -> residents(other).forceRemove("one"))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("there is no resident one; ");
    }
  }

  @Test
  void aClientsOwnMemoryCannotBeHandedOver() throws InterruptedException {
    try (Peer peer = new Peer(host.name(), Peer.Payload.FOREIGN)) {
      assertThatThrownBy(() -> peer.device().handOver("mailbox"))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("1 regions are memory of this process");
      peer.memory().close();
      var own = Arena.ofAuto().allocate(64, 64);
      var domain = peer.device().allocateProtectionDomain();
      var closed = domain.register(own, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
      closed.close();
      var unused = peer.device().handOver("mailbox");
    }
    try (Device device = host.open()) {
      residents(device).forceRemove("mailbox");
    }
    host.expectNothingLeft();
  }

  @Test
  void namesOfResidentsAreUniqueAndHaveAForm() {
    try (Device first = host.open();
        Device second = host.open();
        Device third = host.open()) {
      assertThatThrownBy(() -> first.handOver("none"))
          .hasMessageContaining("there is nothing to hand over");
      first.allocateProtectionDomain();
      second.allocateProtectionDomain();
      var unused = first.handOver("name");
      assertThatThrownBy(() -> second.handOver("name"))
          .isInstanceOf(HcaException.class)
          .hasMessageContaining("there is already a resident name");
      for (String wrong : List.of("", "a b", "../x", "x".repeat(65), "\n")) {
        assertThatThrownBy(() -> second.handOver(wrong))
            .as(wrong)
            .hasMessageContaining("has 1 to 64 letters");
      }
      var unusedToo = second.handOver("x".repeat(64));
      assertThat(residents(third).list()).hasSize(2);
      residents(third).list().forEach(each -> residents(third).forceRemove(each.name()));
    }
  }

  @Test
  void aClientHandsOverNoMoreThanStaysFreeForOthers() throws IOException {
    SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED));
    ClientShares shares = new ClientShares(nic);
    Residents residents = new Residents(shares);
    Quotas quotas =
        Quotas.of(
            Map.of(
                Quota.RESIDENTS, 6L,
                Quota.RESIDENT_OBJECTS, 200L,
                Quota.RESIDENT_PIECES, 60L,
                Quota.RESIDENT_BYTES, 8L << 20));
    Account account = quotas.open(1);
    residents.add("one", "", holdings(nic, objects(account, 2), regions(account, 4096)));
    refuses(nic, residents, objects(account, 80), regions(account), "(quota RESIDENT_OBJECTS)");
    refuses(
        nic,
        residents,
        objects(account, 1),
        regions(account, LongStream.range(0, 25).map(i -> 4096).toArray()),
        "(quota RESIDENT_PIECES)");
    refuses(
        nic, residents, objects(account, 1), regions(account, 3 << 20), "(quota RESIDENT_BYTES)");
    residents.add("two", "", holdings(nic, objects(account, 3), regions(account, 8192)));
    refuses(nic, residents, objects(account, 0), regions(account), "there is nothing to hand over");
    refuses(nic, residents, objects(account, 1), regions(account), "(quota RESIDENTS)");
    account.close();
    Account again = quotas.open(1);
    refuses(nic, residents, objects(again, 1), regions(again), "(quota RESIDENTS)");
    Account other = quotas.open(2);
    residents.add("other", "", holdings(nic, objects(other, 60), regions(other, 1 << 20)));
    assertThat(shares.count()).as("the share of this process").isEqualTo(1);
    assertThat(residents.remove("one", 0, true)).isEqualTo(PROCESS.pid());
    residents.add("three", "", holdings(nic, objects(again, 2), regions(again, 4096)));
    for (String name : List.of("two", "three", "other")) {
      assertThat(residents.remove(name, 0, true)).isEqualTo(PROCESS.pid());
    }
    assertThat(shares.count()).isZero();
    for (Quota quota : List.of(Quota.RESIDENTS, Quota.RESIDENT_OBJECTS, Quota.RESIDENT_BYTES)) {
      assertThat(quotas.held(quota)).as("%s", quota).isZero();
    }
    nic.close();
  }

  private static Holdings holdings(SoftNic nic, OwnObjects objects, SharedRegions regions) {
    OwnDiagnosis diagnosis =
        new OwnDiagnosis(new Observers(nic), nic.hosting().orElseThrow(), objects);
    return new Holdings(PROCESS, ClientUid.take(), objects, regions, diagnosis);
  }

  private static OwnObjects objects(Account account, int count) {
    OwnObjects objects = new OwnObjects(account);
    for (int i = 0; i < count; i++) {
      objects.add(ObjectKind.UMEM, i, () -> {}, () -> {});
    }
    return objects;
  }

  private static SharedRegions regions(Account account, long... bytes) throws IOException {
    SharedRegions regions = new SharedRegions(account);
    for (long each : bytes) {
      assertThat(regions.allocate(each)).isPositive();
    }
    return regions;
  }

  private static void refuses(
      SoftNic nic, Residents residents, OwnObjects objects, SharedRegions regions, String why)
      throws IOException {
    assertThatThrownBy(() -> residents.add("other", "", holdings(nic, objects, regions)))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining(why);
    regions.close();
  }

  @Test
  void aForcedRemovalOfAResidentIsLoggedWithBothProcesses() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            lines.add(line.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("dev.bluebell.server");
    logger.addHandler(handler);
    try (Device device = host.open();
        Device first = host.open();
        Device second = host.open()) {
      first.allocateProtectionDomain();
      second.allocateProtectionDomain();
      long token = first.handOver("mine");
      var unused = second.handOver("yours");
      residents(device).remove("mine", token);
      assertThat(lines).isEmpty();
      residents(device).forceRemove("yours");
      long pid = ProcessHandle.current().pid();
      assertThat(lines)
          .containsExactly(
              "process %d removed resident yours of process %d by force".formatted(pid, pid));
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void aClientThatHandedOverGetsNothingMore() {
    Device device = host.open();
    device.allocateProtectionDomain();
    var unused = device.handOver("one");
    try (Device other = host.open()) {
      Connection connection = Connection.open(host.socket(), new ClientChannels());
      connection.call(Message.hello());
      connection.call(Message.of(Request.ALLOCATE_DOMAIN));
      connection.call(Message.of(Request.HAND_OVER).put("two").put(""));
      for (Message request :
          List.of(
              Message.of(Request.ALLOCATE_DOMAIN),
              Message.of(Request.DESTROY).put(1),
              Message.of(Request.HAND_OVER).put("three").put(""))) {
        assertThatThrownBy(() -> connection.call(request))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("has handed over its objects");
      }
      connection.close();
      assertThat(residents(other).list()).hasSize(2);
      residents(other).list().forEach(each -> residents(other).forceRemove(each.name()));
    }
  }

  @Test
  void anEmbeddedDeviceHasNoResidents() {
    try (Device device = Device.over(SoftNic.open(SoftNicOptions.DEFAULT))) {
      device.allocateProtectionDomain();
      assertThat(device.residents()).isEmpty();
      assertThatThrownBy(() -> device.handOver("one"))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("device soft ends with this process");
    }
  }

  @Test
  void onlyOneLaterClientJoinsAQueuePair() throws InterruptedException {
    Peer server = new Peer(host.name(), Peer.Payload.SHARED);
    QueuePairEndpoint seat = server.queuePair().endpoint();
    long address = server.memory().address();
    int rkey = server.memory().rkey();
    long token = server.device().handOver("mailbox", seat.toString());
    server.close();
    try (Peer client = new Peer(host.name(), Peer.Payload.SHARED);
        Peer late = new Peer(host.name(), Peer.Payload.SHARED)) {
      HcaResidents residents = residents(client.device());
      assertThat(QueuePairEndpoint.parse(residents.notice("mailbox"))).isEqualTo(seat);
      client.device().join("mailbox", seat, client.queuePair().endpoint());
      client.queuePair().connect(seat);
      client.write(address, rkey, 64);
      client.awaitSuccess();
      assertThatThrownBy(() -> late.device().join("mailbox", seat, late.queuePair().endpoint()))
          .isInstanceOf(HcaException.class);
      client.write(address, rkey + 1, 64);
      assertThat(client.await()).isNotEqualTo(CompletionStatus.SUCCESS);
      assertThat(residents.diagnose("mailbox", token))
          .anyMatch(line -> line.contains("QP 0x%x".formatted(seat.qpn())))
          .anyMatch(line -> line.contains("rkey"));
      for (long wrong : new long[] {0, token + 1}) {
        assertThatThrownBy(() -> residents.diagnose("mailbox", wrong))
            .isInstanceOf(HcaException.class)
            .hasMessageContaining("mailbox has another token");
        assertThatThrownBy(() -> residents.remove("mailbox", wrong))
            .hasMessageContaining("mailbox has another token");
      }
      residents.remove("mailbox", token);
      assertThat(residents.list()).isEmpty();
    }
    host.expectNothingLeft();
  }

  @Test
  void joiningAllowsNoOtherChange() throws InterruptedException {
    Peer server = new Peer(host.name(), Peer.Payload.SHARED);
    QueuePairEndpoint seat = server.queuePair().endpoint();
    var unused = server.device().handOver("mailbox", "");
    server.close();
    try (Device device = host.open()) {
      HcaResidents residents = residents(device);
      byte[] toRtr = command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP, seat.qpn());
      byte[] toRts = command(Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP, seat.qpn());
      byte[] other = command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP, seat.qpn() + 1);
      byte[] rights = View.over(toRtr.clone()).set(Init2rtrQpIn.OPT_PARAM_MASK, 1).bytes();
      refusesToJoin(residents, seat.qpn() + 1, toRtr, toRts, "has no queue pair");
      refusesToJoin(residents, seat.qpn(), other, toRts, "and can't change anything else");
      refusesToJoin(residents, seat.qpn(), rights, toRts, "and can't change anything else");
      refusesToJoin(residents, seat.qpn(), toRts, toRtr, "each with its exact length");
      refusesToJoin(residents, seat.qpn(), new byte[0], toRts, "each with its exact length");
      assertThatThrownBy(() -> residents.join("nobody", seat.qpn(), toRtr, toRts))
          .hasMessageContaining("there is no resident nobody; ");
      residents.forceRemove("mailbox");
      assertThatThrownBy(() -> device.handOver("long", "x".repeat(8193)))
          .hasMessageContaining("a notice has at most 8192 characters");
    }
  }

  @Test
  void joiningDoesNotBlockOtherResidents() throws IOException, InterruptedException {
    SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT.withEngine(EngineMode.STEPPED));
    Residents residents = new Residents(new ClientShares(nic));
    residents.add("other", "", holdings(nic, objects(ACCOUNT, 1), regions(ACCOUNT)));
    CountDownLatch executing = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    OwnObjects objects = objects(ACCOUNT, 1);
    objects.add(ObjectKind.QUEUE_PAIR, new SlowQueuePair(executing, goOn));
    residents.add("slow", "", holdings(nic, objects, regions(ACCOUNT)));
    byte[] toRtr = command(Init2rtrQpIn.STRUCTURE, CommandOpcode.INIT2RTR_QP, SlowQueuePair.NUMBER);
    byte[] toRts = command(Rtr2rtsQpIn.STRUCTURE, CommandOpcode.RTR2RTS_QP, SlowQueuePair.NUMBER);
    Thread joining =
        Thread.ofPlatform().start(() -> residents.join("slow", SlowQueuePair.NUMBER, toRtr, toRts));
    executing.await();
    Thread others =
        Thread.ofPlatform()
            .start(
                () -> {
                  var unused = residents.put(Message.of(Message.Reply.DONE));
                  try {
                    int unusedToo = residents.remove("other", 0, true);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                });
    boolean done = others.join(Duration.ofSeconds(30));
    goOn.countDown();
    joining.join();
    others.join();
    assertThat(done).as("the other resident is removed while a command of the first runs").isTrue();
    assertThat(residents.remove("slow", 0, true)).isEqualTo(PROCESS.pid());
    nic.close();
  }

  /** A queue pair whose commands wait. */
  private record SlowQueuePair(CountDownLatch executing, CountDownLatch goOn) implements HcaObject {
    static final int NUMBER = 7;

    @Override
    public int number() {
      return NUMBER;
    }

    @Override
    public byte[] output() {
      return new byte[0];
    }

    @Override
    public byte[] modify(byte[] command) {
      executing.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return new byte[0];
    }

    @Override
    public byte[] query(byte[] command) {
      return new byte[0];
    }

    @Override
    public void close() {}
  }

  private static byte[] command(Structure structure, int opcode, int qpn) {
    return View.command(structure, opcode).set(Init2rtrQpIn.QPN, qpn).bytes();
  }

  private static void refusesToJoin(
      HcaResidents residents, int qpn, byte[] toRtr, byte[] toRts, String why) {
    assertThatThrownBy(() -> residents.join("mailbox", qpn, toRtr, toRts))
        .isInstanceOf(HcaException.class)
        .hasMessageContaining(why);
  }
}
