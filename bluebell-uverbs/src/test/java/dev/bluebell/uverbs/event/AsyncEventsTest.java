package dev.bluebell.uverbs.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.uverbs.Headers;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the numbers of asynchronous events with libibverbs. */
class AsyncEventsTest {
  @TempDir private Path scratch;

  @Test
  void eventsAreThoseOfLibibverbs()
      throws IllegalAccessException, IOException, InterruptedException {
    Map<String, Long> expected = new HashMap<>();
    for (Field field : AsyncEvents.class.getDeclaredFields()) {
      if (field.getType() == int.class) {
        field.setAccessible(true);
        expected.put("IBV_EVENT_" + field.getName(), (long) field.getInt(null));
      }
    }
    assertThat(expected).hasSizeGreaterThan(8);
    assertThat(Headers.evaluateByLibrary(scratch, expected.keySet())).isEqualTo(expected);
  }
}
