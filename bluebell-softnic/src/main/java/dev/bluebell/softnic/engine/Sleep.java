package dev.bluebell.softnic.engine;

import java.util.concurrent.locks.LockSupport;

/** The way in which the device's thread sleeps and is woken. */
public interface Sleep {

  /** Wakes only for {@link #wake} or when the time is over. */
  Sleep PARKED =
      new Sleep() {
        @Override
        public void sleep(long nanos) {
          LockSupport.parkNanos(this, nanos);
        }

        @Override
        public void wake(Thread sleeper) {
          LockSupport.unpark(sleeper);
        }
      };

  /** Sleeps for at most this long. For the device's thread. */
  void sleep(long nanos);

  /** Wakes a thread that sleeps here, or makes its next sleep return at once. Any thread. */
  void wake(Thread sleeper);
}
