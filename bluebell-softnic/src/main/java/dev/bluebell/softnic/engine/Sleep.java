package dev.bluebell.softnic.engine;

import java.util.concurrent.locks.LockSupport;

/** How the thread of a device sleeps, and what wakes it besides the time. */
public interface Sleep {

  /** Wakes for commands and doorbells that are announced, and for nothing else. */
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

  /** Sleeps, for this long at most; the device's thread. */
  void sleep(long nanos);

  /** Wakes a thread that sleeps here, or lets its next sleep be none; any thread. */
  void wake(Thread sleeper);
}
