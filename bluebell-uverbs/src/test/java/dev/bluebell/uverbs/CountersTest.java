package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.RawClient.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.uverbs.Errno;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Counters of a device without flow steering. */
class CountersTest extends Hosted {
  private static final int OBJECT = 15;
  private static final int CREATE = 0;
  private static final int DESTROY = 1;
  private static final int READ = 2;

  private RawClient application;

  @BeforeEach
  void open() throws IOException {
    application = new RawClient(host);
  }

  @AfterEach
  void close() throws IOException, InterruptedException {
    application.close();
    host.expectNothingLeft();
  }

  private long create() throws IOException {
    long[] made = {attribute(0, 0), 0};
    assertThat(application.ioctl(OBJECT, CREATE, made)).isZero();
    return made[1];
  }

  private long destroy(long handle) throws IOException {
    return application.ioctl(OBJECT, DESTROY, attribute(0, 0), handle);
  }

  private long read(long handle) throws IOException {
    MemorySegment values = application.memory(16);
    return application.ioctl(
        OBJECT,
        READ,
        attribute(0, 0),
        handle,
        attribute(1, 16),
        values.address(),
        attribute(2, 4),
        0);
  }

  @Test
  void countersAreMadeAndDestroyedOnce() throws IOException {
    long first = create();
    long second = create();
    assertThat(destroy(first)).isZero();
    assertThat(destroy(first)).isEqualTo(-Errno.ENOENT);
    assertThat(destroy(second)).isZero();
  }

  @Test
  void countersThatAreBoundToNothingAreNotRead() throws IOException {
    long counters = create();
    assertThat(read(counters)).isEqualTo(-Errno.EINVAL);
    assertThat(destroy(counters)).isZero();
    assertThat(read(counters)).isEqualTo(-Errno.ENOENT);
  }

  @Test
  void countersOfAnApplicationThatEndsEndWithIt() throws IOException {
    assertThat(create()).isPositive();
  }
}
