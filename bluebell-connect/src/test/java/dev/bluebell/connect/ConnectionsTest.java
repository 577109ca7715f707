package dev.bluebell.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.bluebell.test.Done;
import dev.bluebell.test.TestDevice;
import dev.bluebell.verbs.Access;
import dev.bluebell.verbs.ClosedException;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.RemoteMemory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs that find each other over TCP. */
class ConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestDevice device = TestDevice.open();
  private final ProtectionDomain domain = device.device().allocateProtectionDomain();
  private final CompletionQueue completions = device.device().createCompletionQueue(64);
  private final MemoryRegion memory = domain.allocate(4096, Access.rights());
  private final Supplier<RcQueuePair> queuePairs = () -> domain.rcQueuePair(completions).create();
  private final ExecutorService serving = Executors.newVirtualThreadPerTaskExecutor();
  private RdmaServer server;

  @BeforeEach
  void listen() throws Exception {
    server = Connections.tcp().listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  @AfterEach
  void close() {
    server.close();
    serving.close();
    device.close();
  }

  private ConnectionRequest next() throws InterruptedException {
    ConnectionRequest request = server.next(PATIENCE);
    assertThat(request).isNotNull();
    return request;
  }

  private Future<RdmaConnection> acceptNext() {
    return serving.submit(() -> next().accept(queuePairs, Offer.of(memory.remote())));
  }

  private RdmaClient client() {
    return Connections.tcp().client(server.address());
  }

  private static Ending ending(RdmaConnection connection) throws Exception {
    return connection.ended().get(30, TimeUnit.SECONDS);
  }

  @Test
  void askingAgainAndAgainWhetherAConnectionHasEndedTakesNoMemory() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(queuePairs, Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(mine.ended()).isSameAs(mine.ended());
    assertThat(mine.ended().cancel(false)).isTrue();
    mine.disconnect();
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
  }

  @Test
  void bothSidesLearnOfEachOtherAndWorkOnEachOthersMemory() throws Exception {
    byte[] hello = "hello".getBytes(StandardCharsets.UTF_8);
    Future<RdmaConnection> accepted =
        serving.submit(
            () -> {
              ConnectionRequest request = next();
              assertThat(request.offer().privateData()).isEqualTo(hello);
              assertThat(request.from().getAddress()).isEqualTo(server.address().getAddress());
              return request.accept(queuePairs, Offer.of(memory.remote()));
            });
    RdmaConnection mine = client().connect(queuePairs, new Offer(hello, List.of()));
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    assertThat(mine.isOpen()).isTrue();
    assertThat(mine.peer()).isEqualTo(server.address());
    assertThat(theirs.offer()).isEqualTo(new Offer(hello, List.of()));

    RemoteMemory remote = mine.offer().memory().getFirst();
    assertThat(remote).isEqualTo(memory.remote());
    memory.segment().setString(0, "over there");
    mine.queuePair().read(remote.slice(0, 16)).scatter(memory, 1024, 16).signaled(1);
    mine.queuePair().ringDoorbell();
    device.await(completions).expectSuccess(1);
    assertThat(memory.segment().getString(1024)).isEqualTo("over there");
    theirs.queuePair().nop().signaled(2);
    theirs.queuePair().ringDoorbell();
    device.await(completions).expectSuccess(2);
    mine.close();
    theirs.close();
  }

  @Test
  void whoIsDisconnectedHearsOfItByFlushedRequests() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaConnection mine = client().connect(queuePairs, Offer.NOTHING);
    RdmaConnection theirs = accepted.get(30, TimeUnit.SECONDS);
    theirs.queuePair().receive().empty().post(7);
    theirs.queuePair().ringReceiveDoorbell();
    mine.close();
    mine.close();
    assertThat(ending(mine)).isEqualTo(Ending.DISCONNECTED_HERE);
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    assertThat(theirs.isOpen()).isFalse();
    device.await(completions).expect(7, CompletionStatus.WORK_REQUEST_FLUSHED);
    theirs.disconnect();
    assertThat(ending(theirs)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> mine.queuePair().query());
    assertThat(theirs.queuePair().query()).isNotNull();
    theirs.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> theirs.queuePair().query());
  }

  @Test
  void aServerSaysNoAndWhy() throws Exception {
    CompletableFuture<ConnectionRequest> seen = new CompletableFuture<>();
    Future<?> unused =
        serving.submit(
            () -> {
              ConnectionRequest request = next();
              request.reject((byte) 4, (byte) 2);
              return seen.complete(request);
            });
    assertThatExceptionOfType(RejectedException.class)
        .isThrownBy(() -> client().connect(queuePairs, Offer.NOTHING))
        .satisfies(e -> assertThat(e.privateData()).containsExactly(4, 2));
    ConnectionRequest request = seen.get(30, TimeUnit.SECONDS);
    assertThatIllegalStateException().isThrownBy(() -> request.reject());
    assertThatIllegalStateException().isThrownBy(() -> request.accept(queuePairs, Offer.NOTHING));
    assertThat(device.leaks()).extracting(open -> open.object()).hasSize(3);
  }

  @Test
  void aClientReconnectsWithANewQueuePair() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(queuePairs, Offer.of(memory.remote()));
    RdmaConnection lost = accepted.get(30, TimeUnit.SECONDS);
    int before = first.queuePair().number();
    first.queuePair().receive().empty().post(3);
    first.queuePair().ringReceiveDoorbell();
    lost.close();
    assertThat(ending(first)).isEqualTo(Ending.DISCONNECTED_BY_PEER);
    assertThat(device.await(completions).status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);

    Future<RdmaConnection> again = acceptNext();
    RdmaConnection second = client.reconnect(first, PATIENCE);
    assertThat(second.queuePair().number()).isNotEqualTo(before);
    assertThat(again.get(30, TimeUnit.SECONDS).offer().memory()).containsExactly(memory.remote());
    second.queuePair().nop().signaled(1);
    second.queuePair().ringDoorbell();
    assertThat(device.await(completions, 1)).extracting(Done::id).containsExactly(1L);
    assertThatIllegalArgumentException().isThrownBy(() -> client.reconnect(first, PATIENCE));
    second.close();
  }

  @Test
  void aClientWaitsForAServerThatComesBack() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(queuePairs, Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    InetSocketAddress address = server.address();
    server.close();
    Future<RdmaConnection> second = serving.submit(() -> client.reconnect(first, PATIENCE));
    server = Connections.tcp().listen(address);
    next().accept(queuePairs, Offer.NOTHING).close();
    second.get(30, TimeUnit.SECONDS).close();
  }

  @Test
  void aServerThatIsNotThereIsNotWaitedForLongerThanAsked() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(queuePairs, Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    server.close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ZERO))
        .withMessageContaining("can't be reached");
    assertThat(device.leaks()).hasSize(3);
  }

  @Test
  void whoDidNotReachTheServerMayAskAgain() throws Exception {
    Future<RdmaConnection> accepted = acceptNext();
    RdmaClient client = client();
    RdmaConnection first = client.connect(queuePairs, Offer.NOTHING);
    accepted.get(30, TimeUnit.SECONDS).close();
    InetSocketAddress address = server.address();
    server.close();
    assertThatExceptionOfType(ConnectionException.class)
        .isThrownBy(() -> client.reconnect(first, Duration.ZERO));
    server = Connections.tcp().listen(address);
    Future<RdmaConnection> again = acceptNext();
    client.reconnect(first, PATIENCE).close();
    again.get(30, TimeUnit.SECONDS).close();
  }

  @Test
  void whoWaitsForRequestsHearsOfTheEnd() throws Exception {
    assertThat(server.next(Duration.ofMillis(1))).isNull();
    Future<?> waiting = serving.submit(() -> server.next(PATIENCE));
    server.close();
    server.close();
    assertThat(waiting)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(ClosedException.class);
  }

  @Test
  void offersAndOptionsHaveBounds() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Offer(new byte[197], List.of()));
    RemoteMemory[] many = new RemoteMemory[17];
    Arrays.fill(many, memory.remote());
    assertThatIllegalArgumentException().isThrownBy(() -> Offer.of(many));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client().connect(queuePairs, new Offer(new byte[57], List.of())));
    TcpOptions options = TcpOptions.DEFAULT;
    assertThatIllegalArgumentException().isThrownBy(() -> options.withMaxPending(0));
    assertThatIllegalArgumentException().isThrownBy(() -> options.withDeadline(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.withKeepalive(Duration.ofDays(1)));
  }
}
