package dev.bluebell.server;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepting clients that misbehave in any way. */
class DeviceServerTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);
  private static final byte ECHO = 1;
  private static final byte FAIL = 2;
  private static final byte REFUSED = 3;
  private static final byte HOLD = 4;

  @TempDir private Path folder;

  private final List<LocalSocket> clients = new ArrayList<>();
  private final AtomicInteger served = new AtomicInteger();
  private final AtomicInteger messages = new AtomicInteger();
  private final AtomicLong now = new AtomicLong();
  private final CountDownLatch holding = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private Throwable failure = new StackOverflowError("for the test");

  @AfterEach
  void hangUp() {
    clients.forEach(LocalSocket::close);
  }

  private Path path() {
    return folder.resolve("socket");
  }

  /** Answers a byte with a byte, or fails. */
  private final class Echo implements DeviceServer.Service {
    @Override
    public void serve(Client client) throws IOException {
      served.incrementAndGet();
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment message = arena.allocate(1);
        while (client.connection().next(message) > 0) {
          messages.incrementAndGet();
          if (message.get(JAVA_BYTE, 0) == FAIL) {
            DeviceServerTest.<RuntimeException>sneak(failure);
          }
          if (message.get(JAVA_BYTE, 0) == HOLD) {
            holding.countDown();
            goOn.await();
          }
          client.connection().send(message);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void refuse(LocalSocket connection, QuotaExceeded why) throws IOException {
      try (Arena arena = Arena.ofConfined()) {
        connection.send(arena.allocateFrom(JAVA_BYTE, REFUSED));
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneak(Throwable thrown) throws E {
    throw (E) thrown;
  }

  private DeviceServer serve(long patience, Map<Quota, Long> quotas) throws IOException {
    return serve(patience, Quotas.of(quotas));
  }

  // As on a kernel that can't keep clients from sending descriptors.
  private DeviceServer serve(long patience, Quotas quotas) throws IOException {
    return new DeviceServer(
        path(),
        DeviceServer.listen(path()),
        new Echo(),
        quotas,
        patience,
        new Credit(100, 100, now::get));
  }

  private LocalSocket connect() throws IOException {
    LocalSocket socket = LocalSocket.connect(path());
    clients.add(socket);
    return socket;
  }

  private static void send(LocalSocket socket, byte word) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      socket.send(arena.allocateFrom(JAVA_BYTE, word));
    }
  }

  /** The next byte of an answer; -1 when the server hung up. */
  private static int answer(LocalSocket socket) {
    try (Arena arena = Arena.ofConfined()) {
      boolean[] here = LocalSocket.awaitAny(List.of(socket), TimeUnit.SECONDS.toNanos(30));
      assertThat(here).as("an answer, or that the server hung up").containsExactly(true);
      MemorySegment message = arena.allocate(1);
      return socket.receive(message).bytes() == 0 ? -1 : message.get(JAVA_BYTE, 0);
    } catch (IOException hungUp) {
      return -1;
    }
  }

  private static int ask(LocalSocket socket, byte word) throws IOException {
    send(socket, word);
    return answer(socket);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  @Test
  void connectionsThatSayNothingHaveNoThreadAndDoNotDelayOthers() throws IOException {
    try (DeviceServer server = serve(LONG, Map.of())) {
      for (int i = 0; i < 50; i++) {
        assertThat(connect()).isNotNull();
      }
      await(() -> server.clients() == 50);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
      assertThat(served).as("threads that served").hasValue(1);
    }
  }

  @Test
  void connectionsThatSayNothingEnd() throws IOException {
    try (DeviceServer server = serve(SHORT, Map.of())) {
      for (int i = 0; i < 20; i++) {
        assertThat(connect()).isNotNull();
      }
      for (LocalSocket client : clients) {
        assertThat(answer(client)).isEqualTo(-1);
      }
      await(() -> server.clients() == 0);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
    }
  }

  @Test
  void theNumberOfSilentConnectionsOfAClientIsLimited() throws IOException {
    try (DeviceServer server = serve(LONG, Map.of(Quota.SILENT_CONNECTIONS, 10L))) {
      List<LocalSocket> silent = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        silent.add(connect());
      }
      LocalSocket fifth = connect();
      assertThat(answer(silent.getFirst())).as("the oldest").isEqualTo(-1);
      assertThat(ask(fifth, ECHO)).isEqualTo(ECHO);
      assertThat(ask(silent.getLast(), ECHO)).isEqualTo(ECHO);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
      assertThat(server.clients()).isEqualTo(5);
    }
  }

  @Test
  @Tag("slow")
  void theOldestSilentConnectionGivesWayToAnotherClient() throws Exception {
    try (DeviceServer server = serve(LONG, Map.of(Quota.SILENT_CONNECTIONS, 1L))) {
      LocalSocket silent = connect();
      await(() -> server.clients() == 1);
      try (OtherClient other = OtherClient.sending(path(), ECHO, 0);
          InheritedSocket kept = other.inherit()) {
        assertThat(answer(silent)).as("the only place").isEqualTo(-1);
        await(() -> server.clients() == 1);
        assertThat(kept.send(ECHO)).isTrue();
        await(() -> messages.get() == 1);
        assertThat(kept.isHungUp()).isFalse();
      }
    }
  }

  @Test
  void connectionsComeAtAPace() throws IOException {
    try (DeviceServer server = serve(LONG, Map.of())) {
      LocalSocket before = connect();
      for (int i = 1; i < 100; i++) {
        connect().close();
      }
      LocalSocket next = connect();
      send(next, ECHO);
      assertThat(ask(before, ECHO)).as("an answer on an earlier connection").isEqualTo(ECHO);
      await(() -> server.clients() == 1);
      assertThat(served).hasValue(1);
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
      assertThat(answer(next)).isEqualTo(ECHO);
    }
  }

  @Test
  void aClientBeyondItsThreadQuotaIsRefused() throws IOException {
    expectTwoAreServedAtATime(Quota.THREADS);
  }

  @Test
  void aClientBeyondItsConnectionQuotaIsRefused() throws IOException {
    expectTwoAreServedAtATime(Quota.CONNECTIONS);
  }

  private void expectTwoAreServedAtATime(Quota quota) throws IOException {
    try (DeviceServer server = serve(LONG, Map.of(quota, 6L))) {
      LocalSocket first = connect();
      assertThat(ask(first, ECHO)).isEqualTo(ECHO);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
      LocalSocket third = connect();
      assertThat(ask(third, ECHO)).isEqualTo(REFUSED);
      assertThat(answer(third)).isEqualTo(-1);
      first.close();
      await(() -> server.clients() == 1);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
    }
  }

  // ---- descriptors whose last close waits

  /** After one connection, uses up the pace. */
  private void acceptNoMore() throws IOException {
    for (int i = 1; i < 100; i++) {
      connect().close();
    }
  }

  private void acceptTwoMore() {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Test
  void aDescriptorThatLingersInARefusedConnectionDoesNotDelayOthers() throws IOException {
    try (DeviceServer server = serve(LONG, Map.of(Quota.THREADS, 1L));
        LingeringSocket lingering = LingeringSocket.open()) {
      LocalSocket served = connect();
      assertThat(ask(served, ECHO)).isEqualTo(ECHO);
      acceptNoMore();
      LocalSocket refused = connect();
      lingering.passOn(refused, ECHO);
      acceptTwoMore();
      // The close of the connection resets it, which may be reported before the answer.
      int said = answer(refused);
      assertThat(said == -1 ? answer(refused) : said).isEqualTo(REFUSED);
      served.close();
      await(() -> server.clients() == 0);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
    }
  }

  @Test
  void aDescriptorThatLingersBehindAnEmptyMessageDoesNotDelayOthers() throws IOException {
    Quotas quotas = Quotas.of(Map.of());
    try (DeviceServer server = serve(LONG, quotas);
        LingeringSocket lingering = LingeringSocket.open()) {
      LocalSocket empty = connect();
      await(() -> server.clients() == 1);
      acceptNoMore();
      LocalSocket hostile = connect();
      try (Arena arena = Arena.ofConfined()) {
        hostile.send(arena.allocate(0));
      }
      lingering.passOn(hostile, ECHO);
      acceptTwoMore();
      send(empty, ECHO);
      assertThat(answer(empty)).isEqualTo(ECHO);
      await(() -> server.clients() == 1);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
      // That of the waiting close. An answer may come before its connection stops to count.
      await(() -> quotas.held(Quota.SILENT_CONNECTIONS) == 1);
      lingering.close();
      await(() -> quotas.held(Quota.SILENT_CONNECTIONS) == 0);
    }
  }

  @Test
  void aDescriptorThatLingersKeepsNoSession() throws Exception {
    Quotas quotas = Quotas.of(Map.of());
    try (DeviceServer server = serve(LONG, quotas);
        LingeringSocket lingering = LingeringSocket.open()) {
      LocalSocket hostile = connect();
      send(hostile, HOLD);
      holding.await();
      lingering.passOn(hostile, ECHO);
      goOn.countDown();
      await(() -> server.clients() == 0);
      assertThat(messages).as("messages without descriptors").hasValue(1);
      assertThat(quotas.held(Quota.THREADS)).as("that of the waiting close").isOne();
      lingering.close();
      await(() -> quotas.held(Quota.THREADS) == 0);
    }
  }

  @Test
  void theKernelRefusesDescriptorsOfClientsWhereItCan() throws IOException {
    try (DeviceServer server = new DeviceServer(path(), new Echo(), Quotas.of(Map.of()));
        SharedMemory passed = new SharedMemory("passed", SharedMemory.PAGE_BYTES);
        Arena arena = Arena.ofConfined()) {
      LocalSocket hostile = connect();
      boolean isRefused = false;
      try {
        hostile.send(arena.allocateFrom(JAVA_BYTE, ECHO), passed.fd());
      } catch (IOException refused) {
        assertThat(refused).hasMessage("send failed: Operation not permitted");
        isRefused = true;
      }
      assumeTrue(isRefused, "this kernel lets clients send descriptors (it is older than 6.16)");
      assertThat(ask(hostile, ECHO)).isEqualTo(ECHO);
      assertThat(server.clients()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        OutOfMemoryError.class,
        StackOverflowError.class,
        NoClassDefFoundError.class,
        IllegalStateException.class,
        IOException.class
      })
  void anyThrowableWhileServingAClientEndsThatClientAlone(Class<? extends Throwable> kind)
      throws Exception {
    failure = kind.getDeclaredConstructor().newInstance();
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    try (DeviceServer server = serve(LONG, Map.of())) {
      LocalSocket other = connect();
      assertThat(ask(other, ECHO)).isEqualTo(ECHO);
      assertThat(ask(connect(), FAIL)).isEqualTo(-1);
      await(() -> server.clients() == 1);
      assertThat(ask(other, ECHO)).isEqualTo(ECHO);
      assertThat(ask(connect(), ECHO)).isEqualTo(ECHO);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertThat(uncaught).as("uncaught throwables, which would end the device process").isEmpty();
  }

  @Test
  void aThrowableInAThreadOfAClientEndsThatClient() throws Exception {
    try (DeviceServer server = serve(LONG, Map.of())) {
      LocalSocket other = connect();
      assertThat(ask(other, ECHO)).isEqualTo(ECHO);
      Quotas quotas = Quotas.of(Map.of(Quota.THREADS, 2L));
      LocalSocket connection = connect();
      Client client =
          new Client(
              connection,
              connection.watch(),
              quotas.open(1),
              new LimitedLog("dev.bluebell.server"));
      Thread thread =
          client.start(
              "failing",
              () -> {
                throw new OutOfMemoryError("for the test");
              });
      thread.join();
      assertThat(answer(connection)).isEqualTo(-1);
      assertThat(quotas.held(Quota.THREADS)).isZero();
      assertThat(ask(other, ECHO)).isEqualTo(ECHO);
    }
  }

  // ---- clients that have ended, whose connection another process keeps open

  @Test
  @Tag("slow")
  void aClientThatEndsWithUnreadAnswersIsDisconnected() throws Exception {
    try (DeviceServer server = serve(LONG, Map.of());
        OtherClient client = OtherClient.sending(path(), ECHO, 400);
        InheritedSocket kept = client.inherit()) {
      client.end();
      await(() -> server.clients() == 0);
      // A client does not count any more shortly before its connection is closed.
      await(kept::isHungUp);
    }
  }

  @Test
  @Tag("slow")
  void aStoppedClientWithUnreadAnswersDoesNotDelayOthers() throws Exception {
    DeviceServer server = serve(LONG, Map.of());
    try (OtherClient client = OtherClient.sending(path(), ECHO, 400);
        InheritedSocket kept = client.inherit()) {
      client.stop();
      LocalSocket other = connect();
      for (int i = 0; i < 10; i++) {
        assertThat(ask(other, ECHO)).isEqualTo(ECHO);
      }
      while (kept.send(ECHO)) {
        Thread.onSpinWait();
      }
      assertThat(ask(other, ECHO)).as("while the answers wait for the client").isEqualTo(ECHO);
      assertThat(server.clients()).isEqualTo(2);
      server.close();
      assertThat(kept.isHungUp()).isTrue();
    } finally {
      server.close();
    }
  }

  @Test
  void aMessageThatHasArrivedDoesNotHideTheEndOfItsClient() throws Exception {
    try (DeviceServer server = serve(LONG, Map.of());
        OtherClient client = OtherClient.sending(path(), HOLD, 1);
        InheritedSocket kept = client.inherit()) {
      holding.await();
      assertThat(kept.send(ECHO)).isTrue();
      client.end();
      goOn.countDown();
      await(() -> server.clients() == 0);
      assertThat(messages).as("those from before the end").hasValue(1);
      assertThat(kept.isHungUp()).isTrue();
    }
  }

  @Test
  @Tag("slow")
  void aClientThatEndsBeforeItsFirstMessageIsNotServed() throws Exception {
    try (DeviceServer server = serve(LONG, Map.of());
        OtherClient client = OtherClient.sending(path(), ECHO, 0);
        InheritedSocket kept = client.inherit()) {
      await(() -> server.clients() == 1);
      client.end();
      assertThat(kept.send(ECHO)).isTrue();
      await(() -> server.clients() == 0);
      assertThat(served).hasValue(0);
      assertThat(kept.isHungUp()).isTrue();
    }
  }

  @Test
  void closingEndsConnectionsThatSaidNothing() throws IOException {
    LocalSocket silent;
    try (DeviceServer server = serve(LONG, Map.of())) {
      silent = connect();
      await(() -> server.clients() == 1);
    }
    assertThat(answer(silent)).isEqualTo(-1);
    assertThatThrownBy(this::connect).isInstanceOf(IOException.class);
  }

  @Test
  void closingWaitsForClientsEvenIfTheSocketCanNotBeDeleted() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    DeviceServer server =
        new DeviceServer(inner.resolve("socket"), new Echo(), Quotas.of(Map.of()));
    LocalSocket client = LocalSocket.connect(inner.resolve("socket"));
    clients.add(client);
    send(client, HOLD);
    holding.await();
    Files.move(inner, folder.resolve("moved"));
    Files.createFile(inner);
    CompletableFuture<Integer> left = new CompletableFuture<>();
    Thread closing =
        Thread.ofPlatform()
            .start(
                () -> {
                  assertThatThrownBy(server::close).isInstanceOf(IOException.class);
                  left.complete(server.clients());
                });
    await(() -> closing.getState() == Thread.State.WAITING || !closing.isAlive());
    goOn.countDown();
    assertThat(left.get(30, TimeUnit.SECONDS)).as("clients when the server is closed").isZero();
  }

  @Test
  void aSocketOfAnotherUserStays() throws IOException {
    assumeTrue(Processes.userId() == 0, "only root can give a file away");
    Files.createFile(path());
    Files.setAttribute(path(), "unix:uid", 12345);
    assertThatThrownBy(() -> serve(LONG, Map.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("%s belongs to another user and is not replaced; remove it", path());
    assertThat(path()).exists();
    Files.delete(path());
    try (DeviceServer server = serve(LONG, Map.of())) {
      Files.setAttribute(path(), "unix:uid", 12345);
      assertThat(server.clients()).isZero();
    }
    assertThat(path()).as("the file of another user after the server has ended").exists();
  }

  @Test
  void aClientOpensNoDeviceOfAnotherUser() throws IOException {
    try (DeviceServer server = serve(LONG, Map.of())) {
      int stranger = Processes.userId() + 1;
      assertThatThrownBy(() -> LocalSocket.connect(path(), stranger))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(
              "listens there, and this one is of user %d; don't open a device of another user",
              stranger);
      await(() -> server.clients() == 0);
    }
  }
}
