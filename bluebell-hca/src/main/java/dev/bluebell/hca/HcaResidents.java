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
   * What the program that left something wants others to know, such as what they may join.
   *
   * @throws HcaException when there is none of this name
   */
  String notice(String name) throws HcaException;

  /**
   * Connects a queue pair that was left in INIT: who comes first has it.
   *
   * @param qpn its number
   * @param toRtr INIT2RTR_QP with the caller's queue pair as its peer, and no optional parameter
   * @param toRts RTR2RTS_QP, likewise
   * @throws HcaException when there is none of this name or number, the commands do anything else,
   *     or the queue pair is connected
   */
  void join(String name, int qpn, byte[] toRtr, byte[] toRts) throws HcaException;

  /**
   * What the device tells of objects that were left: those of its tables, and why what they did was
   * refused since they were made.
   *
   * @param token of who left them
   * @throws HcaException when there is none of this name, or it has another token
   */
  List<String> diagnose(String name, long token) throws HcaException;

  /**
   * Destroys what was left under a name. Peers that are connected to it find nobody there.
   *
   * @param token of who left it
   * @throws HcaException when there is none of this name, or it has another token
   */
  void remove(String name, long token) throws HcaException;

  /**
   * Destroys what was left under a name, whoever left it.
   *
   * @throws HcaException when there is none of this name
   */
  void forceRemove(String name) throws HcaException;
}
