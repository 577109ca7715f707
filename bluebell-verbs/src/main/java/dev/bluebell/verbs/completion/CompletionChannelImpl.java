package dev.bluebell.verbs.completion;

import static java.util.Objects.requireNonNull;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.verbs.CompletionChannel;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.object.DeviceContext;
import dev.bluebell.verbs.object.DeviceObject;
import dev.bluebell.verbs.object.Teardown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Implements {@link CompletionChannel}. */
public final class CompletionChannelImpl extends DeviceObject implements CompletionChannel {
  private final HcaEventChannel events;

  private final List<Member> members = new ArrayList<>();

  /**
   * The members by the cookie of their events. A cookie is never reused: a late event of a closed
   * queue must not count for another queue.
   */
  private final Map<Integer, Member> byCookie = new HashMap<>();

  private int nextCookie;

  /** Index at which the next search starts, so that a busy queue does not starve the others. */
  private int next;

  public CompletionChannelImpl(DeviceContext device) {
    super(device, new Teardown(), List.of());
    events = device.hca().openEventChannel();
    teardown.add(events::close);
  }

  @Override
  public void add(CompletionQueue queue) {
    CompletionQueueImpl completions =
        (CompletionQueueImpl) requireNonNull(queue, "the completion queue is null");
    lifetime.requireOpen();
    if (completions.device() != device) {
      throw new IllegalArgumentException(
          "%s and the channel belong to different devices".formatted(completions));
    }
    int cookie = nextCookie++;
    completions.joinChannel(events, cookie);
    Member member = new Member(completions, cookie);
    members.add(member);
    byCookie.put(cookie, member);
  }

  @Override
  public @Nullable CompletionQueue await(Duration timeout) throws InterruptedException {
    long start = System.nanoTime();
    requireNonNull(timeout, "the timeout is null");
    long nanos = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
    while (true) {
      lifetime.requireOpen();
      CompletionQueueImpl ready = find(false);
      if (ready != null) {
        return ready;
      }
      for (HcaEvent event = events.poll(); event != null; event = events.poll()) {
        take(event);
      }
      // Completions that arrived before a queue was armed cause no event.
      ready = find(true);
      if (ready != null) {
        return ready;
      }
      HcaEvent event = events.await(Duration.ofNanos(nanos - (System.nanoTime() - start)));
      if (event == null) {
        lifetime.requireNotClosing();
        return find(false);
      }
      take(event);
    }
  }

  @Override
  public void wakeup() {
    events.wakeup();
  }

  /** Finds a queue with completions to poll; arms empty queues if {@code arm} is set. */
  private @Nullable CompletionQueueImpl find(boolean arm) {
    CompletionQueueImpl ready = look(arm);
    if (ready == null) {
      // Only now: it throws if the device is lost, and each queue may still have completions.
      device.hca().progress();
      ready = look(false);
    }
    return ready;
  }

  private @Nullable CompletionQueueImpl look(boolean arm) {
    for (int left = members.size(); left > 0; left--) {
      int at = next < members.size() ? next : 0;
      Member member = members.get(at);
      next = at + 1;
      if (!member.completions.own() || member.completions.lifetime().isClosed()) {
        members.remove(at);
        byCookie.remove(member.cookie);
        next = at;
        continue;
      }
      if (arm && !member.armed) {
        member.completions.ring().arm(false);
        member.armed = true;
      }
      if (member.completions.ring().isReady() || member.completions.hasFailed()) {
        return member.completions;
      }
    }
    if (members.isEmpty()) {
      device.requireOpen();
      throw new IllegalStateException("the completion channel has no open queue: add one");
    }
    return null;
  }

  private void take(HcaEvent event) {
    Member member = byCookie.get((int) event.cookie());
    if (member == null) {
      return;
    }
    if (event.type() == HcaEvent.CQ_ERROR) {
      member.completions.fail(event.syndrome());
    } else {
      member.completions.ring().eventTaken();
      member.armed = false;
    }
  }

  @Override
  public String toString() {
    return "completion channel";
  }

  /** A queue, the cookie of its events, and whether it is armed. */
  private static final class Member {
    private final CompletionQueueImpl completions;
    private final int cookie;
    private boolean armed;

    Member(CompletionQueueImpl completions, int cookie) {
      this.completions = completions;
      this.cookie = cookie;
    }
  }
}
