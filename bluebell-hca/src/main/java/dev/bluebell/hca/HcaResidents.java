package dev.bluebell.hca;

import java.util.List;

/**
 * Objects that clients left on a device that outlives them, see {@link Hca#handOver}. Any thread
 * may call any method.
 */
public interface HcaResidents {

  /**
   * The objects that one client left.
   *
   * @param name name that the client chose
   * @param pid process id of the client, which may have ended
   * @param objects number of objects on the device
   * @param bytes size of their memory
   */
  record Resident(String name, int pid, int objects, long bytes) {}

  /** All residents, by name. */
  List<Resident> list() throws HcaException;

  /**
   * The notice of the client that left a resident, such as the queue pairs that others may join.
   *
   * @throws HcaException when there is no such resident
   */
  String notice(String name) throws HcaException;

  /**
   * Connects a queue pair that was left in INIT. Only the first caller succeeds.
   *
   * @param qpn its number
   * @param toRtr INIT2RTR_QP with the caller's queue pair as its peer, and no optional parameter
   * @param toRts RTR2RTS_QP, likewise
   * @throws HcaException when there is no such resident or queue pair, the commands do anything
   *     else, or the queue pair is connected
   */
  void join(String name, int qpn, byte[] toRtr, byte[] toRts) throws HcaException;

  /**
   * Diagnoses a resident: its objects in the device's tables, and the explanations of their
   * failures since they were created.
   *
   * @param token token of the owner
   * @throws HcaException when there is no such resident, or it has another token
   */
  List<String> diagnose(String name, long token) throws HcaException;

  /**
   * Destroys a resident. Its connected peers no longer get answers.
   *
   * @param token token of the owner
   * @throws HcaException when there is no such resident, or it has another token
   */
  void remove(String name, long token) throws HcaException;

  /**
   * Destroys a resident, without the owner's token.
   *
   * @throws HcaException when there is no such resident
   */
  void forceRemove(String name) throws HcaException;
}
