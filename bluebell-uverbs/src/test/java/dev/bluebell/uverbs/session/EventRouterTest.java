package dev.bluebell.uverbs.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.ForwardingHca;
import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.Account;
import dev.bluebell.server.Client;
import dev.bluebell.server.EventPipe;
import dev.bluebell.server.LimitedLog;
import dev.bluebell.server.LocalSocket;
import dev.bluebell.server.Quota;
import dev.bluebell.server.Quotas;
import dev.bluebell.server.WatchedProcess;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.softnic.option.SoftNicOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events for a client that subscribes to many, or reads none. */
class EventRouterTest {
  private static final byte[] EVENT = {1, 2, 3, 4, 5, 6, 7, 8};
  private static final HcaEvent END = new HcaEvent(-1, 0, 0, 0);

  @TempDir private Path folder;

  private final Quotas quotas =
      Quotas.of(Map.of(Quota.PENDING_EVENTS, 64L, Quota.SUBSCRIPTIONS, 1L << 16));
  private final Account account = quotas.open(1);
  private final BlockingQueue<HcaEvent> events = new LinkedBlockingQueue<>();
  private final List<Long> subscribed = new ArrayList<>();
  private final List<Long> unsubscribed = new ArrayList<>();
  private SoftNic nic;
  private LocalSocket socket;
  private WatchedProcess process;
  private EventPipe pipe;
  private EventRouter router;

  /** Records subscriptions, and returns the events that the test adds. */
  private final class Channel implements HcaEventChannel {
    @Override
    public void subscribe(@Nullable HcaObject object, int type, long cookie) {
      subscribed.add(cookie);
    }

    @Override
    public void unsubscribe(@Nullable HcaObject object, int type, long cookie) {
      unsubscribed.add(cookie);
    }

    @Override
    public @Nullable HcaEvent poll() {
      return events.poll();
    }

    @Override
    public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
      HcaEvent event =
          timeoutNanos < 0 ? events.take() : events.poll(timeoutNanos, TimeUnit.NANOSECONDS);
      return END.equals(event) ? null : event;
    }

    @Override
    public void wakeup() {
      events.add(END);
    }

    @Override
    public void close() {
      events.add(END);
    }
  }

  @BeforeEach
  void open() throws IOException {
    nic = SoftNic.open(SoftNicOptions.DEFAULT);
    socket = LocalSocket.listen(folder.resolve("socket"));
    process = WatchedProcess.open((int) ProcessHandle.current().pid());
    Client client = new Client(socket, process, account, new LimitedLog("dev.bluebell.uverbs"));
    Hca hca =
        new ForwardingHca(nic) {
          @Override
          public HcaEventChannel openEventChannel() {
            return new Channel();
          }
        };
    pipe = new EventPipe(EVENT.length, account);
    router = new EventRouter(hca, client);
  }

  @AfterEach
  void close() {
    router.close();
    pipe.close();
    socket.close();
    process.close();
    nic.close();
    assertThat(quotas.held(Quota.SUBSCRIPTIONS)).isZero();
    assertThat(quotas.held(Quota.PENDING_EVENTS)).isZero();
    assertThat(quotas.held(Quota.THREADS)).isZero();
  }

  private List<EventRouter.Route> routes(int count) {
    List<EventRouter.Route> routes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      routes.add(router.route(null, 7, pipe, EVENT));
    }
    return routes;
  }

  @Test
  void allRoutesForAKindOfEventShareOneSubscription() {
    List<EventRouter.Route> routes = routes(1000);
    assertThat(subscribed).hasSize(1);
    assertThat(account.held(Quota.SUBSCRIPTIONS)).isEqualTo(1000);
    routes.subList(1, 1000).forEach(EventRouter.Route::drop);
    assertThat(unsubscribed).isEmpty();
    routes.getFirst().drop();
    assertThat(unsubscribed).isEqualTo(subscribed);
  }

  @Test
  void unreadEventsBeyondTheLimitAreLost() {
    EventRouter.Route route = routes(1).getFirst();
    long cookie = subscribed.getFirst();
    int many = 5000;
    for (int i = 0; i < many; i++) {
      events.add(new HcaEvent(7, 0, 0, cookie));
    }
    await(() -> events.isEmpty() && account.held(Quota.PENDING_EVENTS) > 0);
    assertThat(account.held(Quota.PENDING_EVENTS)).isEqualTo(32);
    assertThat(route.end()).as("events that were read").isZero();
  }

  @Test
  void allRoutesEndWithTheRouterAndKeepTheirUnreadEvents() {
    List<EventRouter.Route> routes = routes(1000);
    events.add(new HcaEvent(7, 0, 0, subscribed.getFirst()));
    await(() -> account.held(Quota.PENDING_EVENTS) == 32);
    router.close();
    routes.forEach(EventRouter.Route::end);
    assertThat(account.held(Quota.PENDING_EVENTS)).as("left to the file").isEqualTo(32);
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }
}
