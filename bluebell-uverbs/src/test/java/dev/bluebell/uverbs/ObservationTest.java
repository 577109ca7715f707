package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Index.atIndex;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quota;
import dev.bluebell.server.remote.Observation;
import dev.bluebell.uverbs.call.MissingService;
import dev.bluebell.uverbs.call.ShimChannel;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The observer of a client gets the reasons for its refused calls, and nothing about other clients.
 */
class ObservationTest extends Hosted {
  private static final int HELLO = 0;
  private static final int CREATE_COMPLETION_CHANNEL = 17;
  private static final int DEALLOC_PD = 4;
  private static final int ALLOC_MW = 14;
  private static final int CREATE_QP = 24;
  private static final int MODIFY_QP = 26;
  private static final int OPEN_XRCD = 37;
  private static final int RAW_PACKET = 8;
  private static final int XRC_TARGET = 10;

  /** First word of the first message of an observer. */
  private static final long OBSERVE = 0x6f62_7365_7276_6521L;

  private static final ValueLayout.OfLong WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.BIG_ENDIAN);

  /** Bytes of a message that the device process does not take. */
  private static final int TOO_LONG = (1 << 16) + 1;

  private final List<String> heard = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() throws IOException, InterruptedException {
    host.expectNothingLeft();
  }

  private Observation observe() throws IOException {
    return Observation.open(host.socket(), false, explanation -> heard.add(explanation.sentence()));
  }

  private RawClient client(long token) throws IOException {
    RawClient client = new RawClient(host);
    assertThat(client.call(HELLO, ShimChannel.PROTOCOL_VERSION, token, 0)).isZero();
    return client;
  }

  private static void openChannel(RawClient client) throws IOException {
    assertThat(client.write(CREATE_COMPLETION_CHANNEL, new byte[8], client.memory(4))).isPositive();
  }

  private static void fail(RawClient client, int handle) throws IOException {
    byte[] call = Fields.of(4).u32(0, handle).bytes();
    assertThat(client.write(DEALLOC_PD, call, client.memory(0))).isEqualTo(-Errno.ENOENT);
  }

  /** Queries the last entry of the GID table, which is empty. */
  private static long emptyGid(RawClient client) throws IOException {
    return client.ioctl(
        0,
        6,
        RawClient.attribute(0, 4),
        1,
        RawClient.attribute(1, 4),
        7,
        RawClient.attribute(2, 4),
        0,
        RawClient.attribute(3, 32),
        client.memory(32).address());
  }

  @Test
  void aRefusedCallIsExplained() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token())) {
      openChannel(client);
      fail(client, 1234);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .containsExactly("ibv_dealloc_pd was refused with ENOENT: handle 1234 does not exist");
    }
  }

  @Test
  void theQueuePairOfARefusedCallIsNamed() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token())) {
      openChannel(client);
      MemorySegment xrcd = client.memory(4);
      byte[] anonymous = Fields.of(16).u32(8, -1).bytes();
      assertThat(client.write(OPEN_XRCD, anonymous, xrcd)).isPositive();
      MemorySegment qp = client.memory(32);
      int domain = xrcd.get(ValueLayout.JAVA_INT, 0);
      byte[] target = Fields.of(56).u32(16, domain).u8(53, XRC_TARGET).bytes();
      assertThat(client.write(CREATE_QP, target, qp)).isPositive();
      int handle = qp.get(ValueLayout.JAVA_INT, 0);
      byte[] toRts = Fields.of(112).u32(64, handle).u32(68, 1).u8(96, 3).bytes();
      assertThat(client.write(MODIFY_QP, toRts, client.memory(0))).isEqualTo(-Errno.EINVAL);
      assertThat(observation.end()).isNotNull();
      assertThat(heard)
          .containsExactly(
              "ibv_modify_qp of QP 0x%x was refused with EINVAL: a QP can't go from state RESET to RTS"
                  .formatted(qp.get(ValueLayout.JAVA_INT, 4)));
    }
  }

  @Test
  void theTypeOfAnUnsupportedQueuePairIsNamed() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token())) {
      openChannel(client);
      byte[] raw = Fields.of(56).u32(16, client.allocateDomain()).u8(53, RAW_PACKET).bytes();
      assertThat(client.write(CREATE_QP, raw, client.memory(32))).isEqualTo(-Errno.EOPNOTSUPP);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .containsExactly(
              "ibv_create_qp was refused with EOPNOTSUPP: QPs of type IBV_QPT_RAW_PACKET (8) are"
                  + " not supported yet");
    }
  }

  @Test
  void objectsInUseAreExplainedOnceForEachReason() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token());
        RawClient other = client(observation.token())) {
      openChannel(client);
      openChannel(other);
      endDomainWithWindow(client);
      endDomainWithWindow(client);
      endDomainWithWindow(other);
      fail(client, 1234);
      fail(client, 1235);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .as("the first domain of each client, and each handle")
          .hasSize(4)
          .satisfies(
              first -> assertThat(first).contains("EBUSY", "still has", "(1); close them first"),
              atIndex(0))
          .satisfies(
              theirs -> assertThat(theirs).contains("EBUSY", "still has", "(1); close them first"),
              atIndex(1))
          .satisfies(unknown -> assertThat(unknown).contains("handle 1234"), atIndex(2))
          .satisfies(unknown -> assertThat(unknown).contains("handle 1235"), atIndex(3));
    }
  }

  private static void endDomainWithWindow(RawClient client) throws IOException {
    int domain = client.allocateDomain();
    MemorySegment out = client.memory(8);
    byte[] window = Fields.of(24).u32(8, domain).u32(12, 2).bytes();
    assertThat(client.write(ALLOC_MW, window, out)).isPositive();
    byte[] end = Fields.of(4).u32(0, domain).bytes();
    assertThat(client.write(DEALLOC_PD, end, client.memory(0))).isEqualTo(-Errno.EBUSY);
  }

  @ParameterizedTest
  @CsvSource({
    "15, memory windows are bound by work requests and not by this call",
    "50, flow steering is not supported",
    "52, queues of raw packets are not supported",
    "49, the call is not supported",
  })
  void featuresThatTheDeviceLacksAreNamed(int command, String lack)
      throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token())) {
      openChannel(client);
      assertThat(client.write(command, new byte[8], client.memory(0))).isEqualTo(-Errno.EOPNOTSUPP);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .containsExactly(
              "a call of the client was refused with EOPNOTSUPP: %s (write command 0x%x)"
                  .formatted(lack, command));
    }
  }

  @Test
  void callsBeforeTheContextIsOpenAreNotReported() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(observation.token())) {
      fail(client, 1234);
      openChannel(client);
      assertThat(client.ioctl(77, 3)).isEqualTo(-Errno.EPROTONOSUPPORT);
      assertThat(emptyGid(client)).isEqualTo(-Errno.ENODATA);
      assertThat(observation.end()).isEmpty();
      assertThat(heard).isEmpty();
    }
  }

  /** Calls at which DPDK's mlx5 driver fails. */
  @ParameterizedTest
  @ValueSource(
      ints = {
        CommandOpcode.ALLOC_TRANSPORT_DOMAIN,
        CommandOpcode.CREATE_TIR,
        CommandOpcode.CREATE_RQ,
        CommandOpcode.CREATE_TIS,
        CommandOpcode.CREATE_FLOW_TABLE
      })
  void aCommandOfTheEthernetDataPathIsReportedAsUnsupported(int opcode)
      throws IOException, InterruptedException {
    try (Observation observation = observe();
        DevxClient client = DevxClient.openObserved(host, observation.token())) {
      byte[] command = View.over(new byte[64]).set(CmdIn.OPCODE, opcode).bytes();
      assertThat(client.create(command)).isEqualTo(-Errno.EINVAL);
      assertThat(observation.end()).isEmpty();
      assertThat(heard)
          .singleElement()
          .asString()
          .contains(CommandOpcode.name(opcode), "this device has no Ethernet data path");
    }
  }

  @Test
  void openingAMissingDeviceFileIsReported() throws IOException, InterruptedException {
    Application.require("cat", "coreutils");
    try (Observation observation = observe()) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      Application client =
          Application.start(
              host,
              folder,
              List.of("env", observer, "cat", "/dev/infiniband/umad0", "/dev/infiniband/umad0"));
      assertThat(client.awaitEnd()).isNotZero();
      assertThat(observation.end()).isEmpty();
      assertThat(heard).containsExactly(MissingService.UMAD.sentence());
    }
  }

  @Test
  @Tag("slow")
  void aTooLargeCompletionQueueIsReportedWithTheLimit() throws IOException, InterruptedException {
    Application.requirePython();
    String script =
        """
        from pyverbs.cq import CQ
        from pyverbs.device import Context
        from pyverbs.pyverbs_error import PyverbsRDMAError
        context = Context(name='mlx5_0')
        try:
            CQ(context, context.query_device().max_cqe + 1)
        except PyverbsRDMAError as refused:
            assert refused.error_code == 22, refused
        else:
            raise SystemExit('the queue was created')
        """;
    try (Observation observation = observe()) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      Application.start(host, folder, List.of("env", observer, Application.PYTHON, "-c", script))
          .expectSuccess();
      assertThat(observation.end()).isEmpty();
      assertThat(heard).singleElement().asString().contains("ask for 1 to 4194303 entries");
    }
  }

  @Test
  void aChildThatUsesItsParentsContextIsReported() throws IOException, InterruptedException {
    Application.requirePython();
    String script =
        """
        import fcntl, os
        device = os.open('/dev/infiniband/uverbs0', os.O_RDWR)
        if os.fork() == 0:
            try:
                fcntl.ioctl(device, 0xc0181b01, bytes(24))
            except PermissionError:
                os._exit(0)
            os._exit(1)
        assert os.wait()[1] == 0
        """;
    try (Observation observation = observe()) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      Application.start(host, folder, List.of("env", observer, Application.PYTHON, "-c", script))
          .expectSuccess();
      assertThat(observation.end()).isEmpty();
      assertThat(heard).containsExactly(MissingService.CONTEXT.sentence());
    }
  }

  @Test
  void openingAMissingHeaderIsNotReported() throws IOException, InterruptedException {
    Application.require("cat", "coreutils");
    try (Observation observation = observe()) {
      String observer = "BLUEBELL_OBSERVER=" + observation.token();
      String header = folder.resolve("rdma/rdma_cma.h").toString();
      String other = folder.resolve("infiniband/umad.h").toString();
      Application client =
          Application.start(host, folder, List.of("env", observer, "cat", header, other));
      assertThat(client.awaitEnd()).isNotZero();
      assertThat(observation.end()).isEmpty();
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void eachObserverGetsReportsOfItsOwnClientsOnly() throws IOException, InterruptedException {
    List<String> others = Collections.synchronizedList(new ArrayList<>());
    try (Observation observation = observe();
        Observation other =
            Observation.open(
                host.socket(), false, explanation -> others.add(explanation.sentence()));
        RawClient mine = client(observation.token());
        RawClient theirs = client(other.token());
        RawClient nobodys = client(0)) {
      for (RawClient client : List.of(mine, theirs, nobodys)) {
        openChannel(client);
      }
      fail(mine, 11);
      fail(theirs, 22);
      fail(nobodys, 33);
      assertThat(observation.end()).isEmpty();
      assertThat(other.end()).isEmpty();
      assertThat(heard).singleElement().asString().contains("handle 11");
      assertThat(others).singleElement().asString().contains("handle 22");
    }
  }

  @Test
  void anUnknownTokenReachesNoObserver() throws IOException, InterruptedException {
    try (Observation observation = observe();
        RawClient client = client(~observation.token())) {
      openChannel(client);
      fail(client, 5);
      assertThat(observation.end()).isEmpty();
      assertThat(heard).isEmpty();
    }
  }

  @Test
  void aClientOutlivesItsObserver() throws IOException, InterruptedException {
    Observation observation = observe();
    try (RawClient client = client(observation.token())) {
      openChannel(client);
      observation.close();
      fail(client, 5);
    }
    assertThat(heard).isEmpty();
  }

  @Test
  void anObserverWhoseConnectionFailsLeavesNoThread() throws IOException, InterruptedException {
    try (Arena arena = Arena.ofConfined();
        LocalSocket observer = LocalSocket.connect(host.socket())) {
      observer.send(arena.allocateFrom(WORD, OBSERVE));
      MemorySegment answer = arena.allocate(64);
      assertThat(observer.receive(answer).bytes()).as("the bytes with the token").isPositive();
      observer.send(arena.allocate(TOO_LONG));
      assertThat(observer.receive(answer).bytes()).as("the bytes after the failure").isZero();
    }
    host.expectNothingLeft();
    assertThat(host.quotas().held(Quota.THREADS)).isZero();
  }

  @Test
  void theEndOfTheDeviceProcessIsReported() throws IOException, InterruptedException {
    try (Observation observation = observe()) {
      host.endServer();
      assertThat(observation.end()).isEmpty();
      assertThat(heard).containsExactly("the device process has ended");
    }
  }
}
