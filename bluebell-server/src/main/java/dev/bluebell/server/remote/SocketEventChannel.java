package dev.bluebell.server.remote;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaEventChannel;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.server.remote.Message.Request;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The queue of events that arrived from the device process. The end of the process is an event,
 * too.
 */
final class SocketEventChannel implements HcaEventChannel {
  private static final int CAPACITY = 1 << 16;

  private final Connection connection;
  private final ClientChannels channels;
  private final int number;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final ArrayDeque<HcaEvent> events = new ArrayDeque<>();
  private boolean closed;

  SocketEventChannel(Connection connection, ClientChannels channels, int number) {
    this.connection = connection;
    this.channels = channels;
    this.number = number;
  }

  int number() {
    return number;
  }

  @Override
  public void subscribe(@Nullable HcaObject object, int type, long cookie) {
    int handle = object == null ? 0 : SocketObject.handleOf(connection, object);
    connection.request(Message.of(Request.SUBSCRIBE).put(number).put(handle).put(type).put(cookie));
  }

  /** Adds an event; when the queue is full, the oldest is lost. */
  void offer(HcaEvent event) {
    lock.lock();
    try {
      if (events.size() == CAPACITY) {
        events.removeFirst();
      }
      events.addLast(event);
      // One thread is enough: it holds the lock from its wake-up until it takes the event.
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The device process ended: the last event says so. */
  void fail() {
    offer(new HcaEvent(HcaEvent.INTERNAL_ERROR, 0, 0, 0));
    end();
  }

  /** Wakes waiters; no event follows. */
  void end() {
    lock.lock();
    try {
      closed = true;
      arrived.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HcaEvent poll() {
    lock.lock();
    try {
      return events.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable HcaEvent await(long timeoutNanos) throws InterruptedException {
    long deadline = System.nanoTime() + timeoutNanos;
    lock.lockInterruptibly();
    try {
      while (events.isEmpty() && !closed) {
        long left = timeoutNanos < 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
        if (left <= 0) {
          return null;
        }
        arrived.awaitNanos(left);
      }
      return events.pollFirst();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    channels.remove(this);
    end();
    connection.free(Message.of(Request.CLOSE_CHANNEL).put(number));
  }
}
