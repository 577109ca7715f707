package dev.bluebell.examples.keyvalue;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A client of a store with values of up to 31 bytes by keys. It belongs to one thread; a store has
 * many clients.
 */
public interface KeyValueStore extends AutoCloseable {
  /** Most bytes of a value. */
  int MAX_VALUE = 31;

  /** The value of a key; null when there is none. */
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
   * @return false when the store did not have the key
   */
  boolean remove(long key) throws IOException;

  @Override
  void close();
}
