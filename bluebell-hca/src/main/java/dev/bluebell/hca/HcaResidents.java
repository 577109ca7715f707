package dev.bluebell.hca;

import java.util.List;

/**
 * What programs left on a device that lives longer than they do, see {@link Hca#handOver}. All
 * methods may be called by any thread.
 */
public interface HcaResidents {

  /**
   * What one program left.
   *
   * @param name that the program gave it
   * @param pid of the program, which may have ended
   * @param objects of the device that belong to it
   * @param bytes of memory that belong to it
   */
  record Resident(String name, int pid, int objects, long bytes) {}

  /** All of them, by name. */
  List<Resident> list() throws HcaException;

  /**
   * Destroys what was left under a name. Peers that are connected to it find nobody there.
   *
   * @throws HcaException when there is none of this name
   */
  void remove(String name) throws HcaException;
}
