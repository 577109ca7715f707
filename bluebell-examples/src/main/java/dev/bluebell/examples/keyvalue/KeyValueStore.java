package dev.bluebell.examples.keyvalue;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a store with values of up to 31 bytes by keys. It belongs to one thread; a store has
 * many clients. After an {@link IOException}, it can only be closed.
 */
public interface KeyValueStore extends AutoCloseable {
  /** Most bytes of a value. */
  int MAX_VALUE = 31;

  /**
   * The value of a key; null when there is none.
   *
   * @param key not 0
   */
  byte @Nullable [] get(long key) throws IOException;

  /**
   * Sets the value of a key.
   *
   * @param key not 0
   * @param value at most {@link #MAX_VALUE} bytes
   * @return false when there is no room for another key
   */
  boolean put(long key, byte[] value) throws IOException;

  /**
   * Removes a key and its value.
   *
   * @param key not 0
   * @return false when the store did not have the key
   */
  boolean remove(long key) throws IOException;

  /** Refuses the key 0 and values that are too long. */
  static void check(long key, byte @Nullable [] value) {
    if (key == 0 || value != null && value.length > MAX_VALUE) {
      throw new IllegalArgumentException(
          "a key must not be 0, and a value has at most %d bytes".formatted(MAX_VALUE));
    }
  }

  @Override
  void close();
}
