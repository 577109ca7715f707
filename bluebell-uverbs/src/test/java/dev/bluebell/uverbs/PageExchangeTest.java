package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.server.Client;
import dev.bluebell.server.LimitedLog;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import dev.bluebell.uverbs.call.ShimChannel;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.pages.Sharing;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.xrc.XrcDomains;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the device writes to a client while that exchanges pages; this process is the client. */
class PageExchangeTest {
  private static final int PAGE = 4096;
  private static final int DONE = 3;

  @TempDir private Path folder;

  private final SoftNic nic = SoftNic.open(SoftNicOptions.DEFAULT);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(PAGE, PAGE);
  private final SharedRanges.Table table = new SharedRanges.Table();
  private LocalSocket listener;
  private LocalSocket client;
  private LocalSocket server;
  private WatchedProcess process;
  private Session session;

  @BeforeEach
  void open() throws IOException {
    listener = LocalSocket.listen(folder.resolve("socket"));
    client = LocalSocket.connect(folder.resolve("socket"));
    server = listener.accept();
    process = WatchedProcess.open((int) ProcessHandle.current().pid());
    session = open(table);
  }

  /** Another device file of the same process. */
  private Session open(SharedRanges.Table of) throws IOException {
    LimitedLog log = new LimitedLog("dev.bluebell.uverbs");
    return Session.open(
        nic,
        nic.hosting().orElseThrow(),
        new Client(server, process, Quotas.of(Map.of()).open(1), log),
        new ShimChannel(server),
        of,
        new XrcDomains(nic));
  }

  @AfterEach
  void close() throws IOException {
    session.close((object, why) -> {});
    client.close();
    server.close();
    listener.close();
    process.close();
    Descriptors.replacePages(memory.address(), PAGE, -1);
    arena.close();
    nic.close();
  }

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** Answers the request to exchange the page; the device writes to it after it was copied. */
  private void exchange(Session writer, byte written) throws Exception {
    MemorySegment message = arena.allocate(32, 8);
    LocalSocket.Received request = client.receive(message);
    byte[] copy = memory.toArray(ValueLayout.JAVA_BYTE);
    FutureTask<Boolean> write = startWrite(writer, written);
    memory.copyFrom(MemorySegment.ofArray(copy));
    Descriptors.replacePages(memory.address(), PAGE, request.descriptor());
    if (request.descriptor() >= 0) {
      Descriptors.close(request.descriptor());
    }
    client.send(arena.allocateFrom(ValueLayout.JAVA_LONG, DONE, 0, 0, 0));
    assertThat(write.get()).isTrue();
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 7)).isEqualTo(written);
  }

  /** Starts to write by the key of another region; returns when that is done, or waits. */
  private FutureTask<Boolean> startWrite(Session writer, byte written) {
    MemorySegment value = arena.allocateFrom(ValueLayout.JAVA_BYTE, written);
    FutureTask<Boolean> task =
        new FutureTask<>(() -> writer.payload().write(memory.address() + 7, value));
    Thread thread = Thread.ofPlatform().daemon().start(task);
    while (thread.getState() != Thread.State.BLOCKED && !task.isDone()) {
      Thread.onSpinWait();
    }
    return task;
  }

  private void expectBothExchangesToKeepWrites(Session writer) throws Exception {
    FutureTask<SharedRanges.Place> sharing = start(this::share);
    exchange(writer, (byte) 1);
    SharedRanges.Place place = sharing.get();
    assertThat(place).isNotNull();
    FutureTask<Boolean> release =
        start(
            () -> {
              place.release(true);
              return true;
            });
    exchange(writer, (byte) 2);
    assertThat(release.get()).isTrue();
  }

  @Test
  void whatTheDeviceWritesWhilePagesAreExchangedIsNotLost() throws Exception {
    expectBothExchangesToKeepWrites(session);
  }

  @Test
  void norIsWhatItWritesByKeysOfAnotherFileOfTheProcess() throws Exception {
    Session other = open(table);
    expectBothExchangesToKeepWrites(other);
    other.close((object, why) -> {});
  }

  @Test
  void payloadOfAClientThatHangsUpInTheMiddleOfAnExchangeIsNotKeptWaiting() throws Exception {
    FutureTask<SharedRanges.Place> sharing = start(this::share);
    Descriptors.close(client.receive(arena.allocate(32, 8)).descriptor());
    FutureTask<Boolean> write = startWrite(session, (byte) 1);
    client.close();
    assertThat(write.get()).isTrue();
    assertThat(sharing).failsWithin(Duration.ofMinutes(1));
  }

  /** The client does not exchange anything, which is faster. */
  @Test
  @Tag("slow")
  void aProcessExchangesALimitedNumberOfRegions() throws Exception {
    FutureTask<Integer> sharing =
        start(
            () -> {
              int count = 0;
              SharedRanges.Place place;
              while (count < 10_000 && (place = share()) != null) {
                place.release(true);
                count++;
              }
              client.shutdown();
              return count;
            });
    MemorySegment message = arena.allocate(32, 8);
    MemorySegment done = arena.allocateFrom(ValueLayout.JAVA_LONG, DONE, 0, 0, 0);
    LocalSocket.Received request = client.receive(message);
    while (request.bytes() > 0) {
      Descriptors.close(request.descriptor());
      client.send(done);
      request = client.receive(message);
    }
    assertThat(sharing.get()).isEqualTo(8192);
  }

  private SharedRanges.@Nullable Place share() throws IOException {
    return session.ranges().tryToShare(memory.address(), PAGE, Sharing.ALWAYS);
  }
}
