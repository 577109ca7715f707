package dev.bluebell.connect.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.bluebell.connect.ConnectionException;
import dev.bluebell.connect.ConnectionRequest;
import dev.bluebell.connect.Connections;
import dev.bluebell.connect.Ending;
import dev.bluebell.connect.Offer;
import dev.bluebell.connect.RdmaClient;
import dev.bluebell.connect.RdmaConnection;
import dev.bluebell.connect.RdmaServer;
import dev.bluebell.connect.TcpOptions;
import dev.bluebell.connect.shared.LocalFailure;
import dev.bluebell.hca.Gid;
import dev.bluebell.hca.HcaException;
import dev.bluebell.test.TestDevice;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import dev.bluebell.verbs.RcQueuePair;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that send invalid messages, are silent, or are gone. */
class HostilePeersTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final int RANDOM_MESSAGES = 100;

  private final TestDevice device = TestDevice.open();
  private final ProtectionDomain domain = device.device().allocateProtectionDomain();
  private final CompletionQueue completions = device.device().createCompletionQueue(64);
  private final Supplier<RcQueuePair> queuePairs = () -> domain.rcQueuePair(completions).create();

  /** The other end of connections that are made by hand. */
  private final RcQueuePair other = queuePairs.get();

  @AfterEach
  void close() {
    device.close();
  }

  private Message connect() {
    return Message.of(MessageType.CONNECT, other.endpoint(), Offer.NOTHING);
  }

  private static Wire dial(RdmaServer server) throws IOException {
    InetSocketAddress address = server.address();
    return new Wire(new Socket(address.getAddress(), address.getPort()));
  }

  private static ConnectionRequest next(RdmaServer server) throws InterruptedException {
    ConnectionRequest request = server.next(PATIENCE);
    assertThat(request).isNotNull();
    return request;
  }

  /** Sends bytes, and waits until the server closes the connection. */
  private static void expectClosed(RdmaServer server, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoTimeout(30_000);
      try {
        socket.getOutputStream().write(bytes);
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
      } catch (SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
    }
  }

  private static byte[] frame(int magic, int version, int type, int length, byte... body) {
    return ByteBuffer.allocate(Wire.HEAD_BYTES + body.length)
        .putInt(magic)
        .put((byte) version)
        .put((byte) type)
        .putShort((short) length)
        .put(body)
        .array();
  }

  @Test
  void nonsenseEndsItsConnectionAndNothingElse() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      expectClosed(server, "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      expectClosed(server, frame(Wire.MAGIC, 2, 0, 0));
      expectClosed(server, frame(Wire.MAGIC, 1, 8, 0));
      expectClosed(server, frame(Wire.MAGIC, 1, -1, 0));
      expectClosed(server, frame(Wire.MAGIC, 1, 0, 0xffff));
      expectClosed(server, frame(Wire.MAGIC, 1, 0, 0));
      expectClosed(server, frame(Wire.MAGIC, 1, 0, 3, new byte[3]));
      expectClosed(server, frame(Wire.MAGIC, 1, 5, 0));
      byte[] whole = connect().body();
      expectClosed(
          server,
          frame(Wire.MAGIC, 1, 0, whole.length + 1, Arrays.copyOf(whole, whole.length + 1)));
      whole[QueuePairEndpoint.BYTES] = (byte) 200;
      expectClosed(server, frame(Wire.MAGIC, 1, 0, whole.length, whole));
      accepts(server);
    }
  }

  private void accepts(RdmaServer server) throws Exception {
    try (Wire wire = dial(server)) {
      wire.write(connect());
      next(server).reject((byte) 9);
      assertThat(wire.read(PATIENCE).body()).containsExactly(9);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void aServerSurvivesRandomMessages(long seed) throws Exception {
    Random random = new Random(seed);
    byte[] body = connect().body();
    try (RdmaServer server =
        Connections.tcp(TcpOptions.DEFAULT.withMaxPending(2 * RANDOM_MESSAGES)).listen(ANY)) {
      for (int i = 0; i < RANDOM_MESSAGES; i++) {
        byte[] bytes = frame(Wire.MAGIC, 1, 0, body.length, body);
        for (int flips = random.nextInt(4); flips >= 0; flips--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        try (Socket socket =
            new Socket(server.address().getAddress(), server.address().getPort())) {
          socket.getOutputStream().write(bytes, 0, 1 + random.nextInt(bytes.length));
        }
      }
      try (Wire wire = dial(server)) {
        byte[] mark = {(byte) seed, 42, 43};
        wire.write(Message.of(MessageType.CONNECT, other.endpoint(), new Offer(mark, List.of())));
        ConnectionRequest request = next(server);
        while (!Arrays.equals(request.offer().privateData(), mark)) {
          request.reject();
          request = next(server);
        }
        request.reject(mark);
        assertThat(wire.read(PATIENCE).body()).isEqualTo(mark);
      }
    }
  }

  @Test
  void aSilentOrSlowPeerIsDropped() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT.withDeadline(Duration.ofMillis(50));
    try (RdmaServer server = Connections.tcp(options).listen(ANY)) {
      expectClosed(server, new byte[0]);
      expectClosed(server, frame(Wire.MAGIC, 1, 0, 100, new byte[10]));
    }
  }

  /** Waits until the server closes a connection. */
  private static void expectEnd(Wire wire) {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> wire.read(PATIENCE))
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void pendingPeersAreBounded() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT.withMaxPending(2).withDeadline(Duration.ofHours(1));
    try (RdmaServer server = Connections.tcp(options).listen(ANY);
        Wire silent = dial(server);
        Wire asking = dial(server)) {
      asking.write(connect());
      try (Wire third = dial(server)) {
        expectEnd(third);
      }
      next(server).reject();
      assertThat(asking.read(PATIENCE).type()).isEqualTo(MessageType.REJECT);
      try (Wire third = dial(server)) {
        third.write(connect());
        next(server).reject();
      }
      server.close();
      expectEnd(silent);
    }
  }

  @Test
  void aClientOfAServerThatHoldsItsMaximumLearnsWhyThereIsNoAnswer() throws Exception {
    try (RdmaServer server = Connections.tcp(TcpOptions.DEFAULT.withMaxPending(1)).listen(ANY);
        Wire other = dial(server)) {
      other.write(connect());
      ConnectionRequest held = next(server);
      assertThatExceptionOfType(ConnectionException.class)
          .isThrownBy(
              () -> Connections.tcp().client(server.address()).connect(queuePairs, Offer.NOTHING))
          .withMessageStartingWith("%s ended the connection without an answer", server.address())
          .withMessageContaining("TcpOptions.withMaxPending");
      held.reject();
    }
  }

  @Test
  void aRequestThatTheServerNeverTakesExpires() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT.withMaxPending(1).withDeadline(Duration.ofMillis(50));
    try (RdmaServer server = Connections.tcp(options).listen(ANY)) {
      for (int i = 0; i < 3; i++) {
        try (Wire wire = dial(server)) {
          wire.write(connect());
          expectEnd(wire);
        }
      }
      assertThat(server.next(Duration.ZERO)).isNull();
    }
  }

  @Test
  void aRequestThatItsClientHasGivenUpIsNotReturned() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      try (Wire wire = dial(server)) {
        wire.write(connect());
      }
      assertThat(server.next(Duration.ofMillis(300))).isNull();
      accepts(server);
    }
  }

  @Test
  void anAddressThatIsInUseIsNamed() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      assertThatExceptionOfType(BindException.class)
          .isThrownBy(() -> Connections.tcp().listen(server.address()))
          .withMessageStartingWith("can't listen at %s", server.address())
          .withMessageEndingWith(
              "another process, or this one, listens there, so choose another port");
    }
  }

  @Test
  void anAddressOfAnotherMachineIsNamed() {
    InetSocketAddress far = new InetSocketAddress("192.0.2.1", 7471);
    assertThatExceptionOfType(BindException.class)
        .isThrownBy(() -> Connections.tcp().listen(far))
        .withMessageStartingWith("can't listen at %s", far)
        .withMessageEndingWith("choose an address of this machine and a port that is permitted");
  }

  @Test
  void aNameWithoutAnAddressIsNamed() {
    InetSocketAddress unknown = InetSocketAddress.createUnresolved("nohost.invalid", 7471);
    assertThatExceptionOfType(UnknownHostException.class)
        .isThrownBy(() -> Connections.tcp().listen(unknown))
        .withMessageContaining("nohost.invalid");
  }

  @Test
  void anEndpointThatCanNotBeReachedIsRefusedWithTheReason() throws Exception {
    QueuePairEndpoint real = other.endpoint();
    QueuePairEndpoint far =
        new QueuePairEndpoint(
            Gid.ofIpv4(0xc000_0207), real.qpn(), real.psn(), real.mtu(), real.responderResources());
    try (RdmaServer server = Connections.tcp().listen(ANY);
        Wire wire = dial(server)) {
      wire.write(Message.of(MessageType.CONNECT, far, Offer.NOTHING));
      ConnectionRequest request = next(server);
      assertThatExceptionOfType(ConnectionException.class)
          .isThrownBy(() -> request.accept(queuePairs, Offer.NOTHING))
          .withMessageContaining("this device reaches only its own port");
      Message answer = wire.read(PATIENCE);
      assertThat(answer.type()).isEqualTo(MessageType.FAIL);
      assertThat(answer.sentence())
          .contains(
              "open one device on both ends, such as the socket of 'bluebell serve', or give each"
                  + " end an address with soft:listen=ADDRESS",
              "this device reaches only its own port");
    }
  }

  @Test
  void aSentenceThatIsTooLongEndsWithAnEllipsis() {
    String longest = "é".repeat(Wire.MAX_BODY_BYTES / 3);
    assertThat(Message.sentence(longest).sentence()).isEqualTo(longest);
    Message cut = Message.sentence("€".repeat(2000));
    assertThat(cut.body()).hasSizeLessThanOrEqualTo(Wire.MAX_BODY_BYTES);
    assertThat(cut.sentence()).matches("€+…");
  }

  @Test
  void anEndpointOfAnotherLinkLayerIsRefusedWithTheReason() throws Exception {
    QueuePairEndpoint real = other.endpoint();
    QueuePairEndpoint infiniBand =
        new QueuePairEndpoint(
            real.gid(), 2, real.qpn(), real.psn(), real.mtu(), real.responderResources());
    try (RdmaServer server = Connections.tcp().listen(ANY);
        Wire wire = dial(server)) {
      wire.write(Message.of(MessageType.CONNECT, infiniBand, Offer.NOTHING));
      ConnectionRequest request = next(server);
      assertThatExceptionOfType(ConnectionException.class)
          .isThrownBy(() -> request.accept(queuePairs, Offer.NOTHING))
          .withMessageContaining("the endpoint has LID 0x2");
      Message answer = wire.read(PATIENCE);
      assertThat(answer.type()).isEqualTo(MessageType.FAIL);
      assertThat(answer.sentence()).contains("the endpoint has LID 0x2");
    }
  }

  private RdmaConnection accepted(RdmaServer server, Wire wire) throws Exception {
    wire.write(connect());
    ConnectionRequest request = next(server);
    wire.write(Message.of(MessageType.READY));
    RdmaConnection connection = request.accept(queuePairs, Offer.NOTHING);
    assertThat(wire.read(PATIENCE).type()).isEqualTo(MessageType.ACCEPT);
    connection.queuePair().receive().empty().post(7);
    connection.queuePair().ringReceiveDoorbell();
    return connection;
  }

  private void expectLost(RdmaConnection connection) throws Exception {
    assertThat(connection.ended().get(30, TimeUnit.SECONDS)).isEqualTo(Ending.LOST);
    device.await(completions).expect(7, CompletionStatus.WORK_REQUEST_FLUSHED);
  }

  @Test
  void aPeerThatIsGoneWithoutAWordIsLost() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      Wire wire = dial(server);
      RdmaConnection connection = accepted(server, wire);
      wire.close();
      expectLost(connection);
    }
  }

  @Test
  void aPeerThatTalksNonsenseIsLost() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY);
        Wire wire = dial(server)) {
      RdmaConnection connection = accepted(server, wire);
      wire.write(Message.of(MessageType.READY));
      expectLost(connection);
    }
  }

  @Test
  void aPeerThatIsSilentIsAskedAndThenLost() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT.withKeepalive(Duration.ofMillis(100));
    try (RdmaServer server = Connections.tcp(options).listen(ANY);
        Wire wire = dial(server)) {
      RdmaConnection connection = accepted(server, wire);
      assertThat(wire.read(PATIENCE).type()).isEqualTo(MessageType.PING);
      wire.write(Message.of(MessageType.PONG));
      assertThat(wire.read(PATIENCE).type()).isEqualTo(MessageType.PING);
      assertThat(connection.isOpen()).isTrue();
      expectLost(connection);
    }
  }

  /** Keeps virtual threads, which watch connections, from running for some time. */
  private static void pauseVirtualThreads(Duration time) throws InterruptedException {
    int carriers = Runtime.getRuntime().availableProcessors();
    CountDownLatch running = new CountDownLatch(carriers);
    AtomicBoolean isOver = new AtomicBoolean();
    for (int i = 0; i < carriers; i++) {
      Thread.startVirtualThread(
          () -> {
            running.countDown();
            while (!isOver.get()) {
              Thread.onSpinWait();
            }
          });
    }
    running.await();
    Thread.sleep(time);
    isOver.set(true);
  }

  @Test
  @Tag("slow")
  void aPeerIsNotLostBecauseThisProcessWasPaused() throws Exception {
    Duration keepalive = Duration.ofMillis(500);
    try (RdmaServer server =
            Connections.tcp(TcpOptions.DEFAULT.withKeepalive(keepalive)).listen(ANY);
        Wire wire = dial(server)) {
      RdmaConnection connection = accepted(server, wire);
      pauseVirtualThreads(keepalive.multipliedBy(4));
      for (int i = 0; i < 4; i++) {
        assertThat(wire.read(PATIENCE).type()).isEqualTo(MessageType.PING);
        wire.write(Message.of(MessageType.PONG));
      }
      assertThat(connection.isOpen()).isTrue();
    }
  }

  @Test
  void aPingIsAnsweredWithAPong() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY);
        Wire wire = dial(server)) {
      RdmaConnection connection = accepted(server, wire);
      wire.write(Message.of(MessageType.PING));
      assertThat(wire.read(PATIENCE).type()).isEqualTo(MessageType.PONG);
      assertThat(connection.isOpen()).isTrue();
      wire.write(Message.of(MessageType.DISCONNECT));
      assertThat(connection.ended().get(30, TimeUnit.SECONDS))
          .isEqualTo(Ending.DISCONNECTED_BY_PEER);
    }
  }

  /** Writes messages until the other side closes the connection. */
  private static void flood(Socket socket, byte[] messages, AtomicLong written) {
    try {
      while (true) {
        socket.getOutputStream().write(messages);
        written.incrementAndGet();
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  @Test
  void aPeerThatPingsAndReadsNoAnswerDelaysNoClose() throws Exception {
    ByteBuffer pings = ByteBuffer.allocate(1024 * Wire.HEAD_BYTES);
    while (pings.hasRemaining()) {
      pings.put(frame(Wire.MAGIC, 1, MessageType.PING.ordinal(), 0));
    }
    try (RdmaServer server = Connections.tcp().listen(ANY);
        Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(server.address());
      RdmaConnection connection = accepted(server, new Wire(socket));
      AtomicLong written = new AtomicLong();
      Thread flooding = Thread.ofVirtual().start(() -> flood(socket, pings.array(), written));
      long before;
      do {
        before = written.get();
        assertThat(flooding.join(Duration.ofMillis(100))).as("it waits in write").isFalse();
      } while (written.get() != before);
      assertTimeoutPreemptively(Duration.ofSeconds(10), connection::close);
      assertThat(connection.ended()).isCompletedWithValue(Ending.DISCONNECTED_HERE);
    }
  }

  @Test
  void aServerThatDoesNotAnswerDelaysAReconnectionNoLongerThanAsked() throws Exception {
    RdmaClient client;
    RdmaConnection first;
    InetSocketAddress address;
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      address = server.address();
      client =
          Connections.tcp(TcpOptions.DEFAULT.withDeadline(Duration.ofMinutes(5))).client(address);
      Thread unused = Thread.ofVirtual().start(() -> accept(server, 1));
      first = client.connect(queuePairs, Offer.NOTHING);
    }
    try (ServerSocket silent = new ServerSocket(address.getPort(), 5, address.getAddress())) {
      assertThat(silent.isBound()).isTrue();
      assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () ->
              assertThatExceptionOfType(ConnectionException.class)
                  .isThrownBy(() -> client.reconnect(first, Duration.ofMillis(50))));
    }
  }

  private void accept(RdmaServer server, int count) {
    try {
      for (int i = 0; i < count; i++) {
        RdmaConnection unused = next(server).accept(queuePairs, Offer.NOTHING);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A queue pair whose first close fails. */
  private RcQueuePair stubborn(RcQueuePair queuePair) {
    AtomicBoolean hasFailed = new AtomicBoolean();
    return (RcQueuePair)
        Proxy.newProxyInstance(
            RcQueuePair.class.getClassLoader(),
            new Class<?>[] {RcQueuePair.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close") && hasFailed.compareAndSet(false, true)) {
                throw new HcaException("the device is busy", new byte[0]);
              }
              return method.invoke(queuePair, arguments);
            });
  }

  @Test
  void aConnectionThatCouldNotBeClosedCanBeReconnectedLater() throws Exception {
    try (RdmaServer server = Connections.tcp().listen(ANY)) {
      RdmaClient client = Connections.tcp().client(server.address());
      Thread unused = Thread.ofVirtual().start(() -> accept(server, 2));
      RdmaConnection first = client.connect(() -> stubborn(queuePairs.get()), Offer.NOTHING);
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> client.reconnect(first, PATIENCE));
      client.reconnect(first, PATIENCE).disconnect();
    }
  }

  @Test
  void connectingToASilentOrBrokenServerFails() throws Exception {
    TcpOptions options = TcpOptions.DEFAULT.withDeadline(Duration.ofMillis(50));
    int before = device.leaks().size();
    try (ServerSocket listener = new ServerSocket(0, 5, ANY.getAddress())) {
      InetSocketAddress address = new InetSocketAddress(ANY.getAddress(), listener.getLocalPort());
      assertThatExceptionOfType(ConnectionException.class)
          .isThrownBy(
              () -> Connections.tcp(options).client(address).connect(queuePairs, Offer.NOTHING))
          .withMessageContaining(":%d listens, but did not answer", listener.getLocalPort())
          .withMessageContaining("within 50 ms")
          .withMessageContaining("RdmaServer.next()")
          .withMessageContaining("TcpOptions.withDeadline");
      listener.accept().close();
      for (byte[] bytes :
          List.of(
              frame(0, 1, 1, 0),
              frame(Wire.MAGIC, 1, 2, 0),
              frame(Wire.MAGIC, 7, 1, 0),
              frame(Wire.MAGIC, 1, 1, 2, new byte[2]))) {
        Thread server =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try (Socket socket = listener.accept()) {
                        socket.getOutputStream().write(bytes);
                        // Until the client closes.
                        socket.getInputStream().readAllBytes();
                      } catch (IOException e) {
                        // It closed already.
                      }
                    });
        assertThatExceptionOfType(ConnectionException.class)
            .isThrownBy(() -> Connections.tcp().client(address).connect(queuePairs, Offer.NOTHING))
            .isNotInstanceOf(LocalFailure.class);
        server.join();
      }
    }
    assertThat(device.leaks()).hasSize(before);
  }
}
