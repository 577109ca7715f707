package dev.bluebell.server;

import dev.bluebell.hca.HcaMemory;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUar;
import dev.bluebell.hca.HcaUmem;

/**
 * Wrappers of a device's objects that run an action after the object is closed. Thread-safe if the
 * object and the action are.
 */
public final class Ending {
  private Ending() {}

  /** An object. */
  public record OfObject(HcaObject object, Runnable end) implements HcaObject {
    @Override
    public int number() {
      return object.number();
    }

    @Override
    public byte[] output() {
      return object.output();
    }

    @Override
    public byte[] modify(byte[] command) {
      return object.modify(command);
    }

    @Override
    public byte[] query(byte[] command) {
      return object.query(command);
    }

    @Override
    public void close() {
      object.close();
      end.run();
    }
  }

  /** A UAR page. */
  public record OfUar(HcaUar page, Runnable end) implements HcaUar {
    @Override
    public int number() {
      return page.number();
    }

    @Override
    public long address() {
      return page.address();
    }

    @Override
    public void silence() {
      page.silence();
    }

    @Override
    public void close() {
      page.close();
      end.run();
    }
  }

  /** A registration of memory for queues. */
  public record OfUmem(HcaUmem umem, Runnable end) implements HcaUmem {
    @Override
    public int number() {
      return umem.number();
    }

    @Override
    public void close() {
      umem.close();
      end.run();
    }
  }

  /** A registration of memory for work requests. */
  public record OfMemory(HcaMemory memory, Runnable end) implements HcaMemory {
    @Override
    public int lkey() {
      return memory.lkey();
    }

    @Override
    public int rkey() {
      return memory.rkey();
    }

    @Override
    public void close() {
      memory.close();
      end.run();
    }
  }
}
