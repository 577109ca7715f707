/**
 * The kernel's side of uverbs: answers the calls of libibverbs and libmlx5 to a device file as the
 * kernel's ib_uverbs and mlx5_ib do, by PRM commands to any {@link dev.bluebell.hca.Hca}.
 *
 * <p>This package contains the service, the files by which clients find it, and the tables of all
 * calls. {@code call} reads a call, {@code session} holds the state of one client, and each kind of
 * object has its own package: {@code cq.Cq} is the object, and {@code cq.CqCalls} translates each
 * form of a call into an operation on the object. {@code abi} has the layouts.
 */
@NullMarked
package dev.bluebell.uverbs;

import org.jspecify.annotations.NullMarked;
