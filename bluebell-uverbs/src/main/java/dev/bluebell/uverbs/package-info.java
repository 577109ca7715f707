/**
 * The kernel's side of uverbs: answers the calls that libibverbs and libmlx5 make of a device file
 * as the kernel's ib_uverbs and mlx5_ib do, with PRM commands to any {@link dev.bluebell.hca.Hca}.
 *
 * <p>This package has the service, what a client needs to find it, and the tables of all calls.
 * {@code call} reads a call, {@code session} has what the calls of one client share, and each kind
 * of object has a package of its own: {@code cq.Cq} is the object, and {@code cq.CqCalls}
 * translates each form of a call into what it asks of the object. {@code abi} has the layouts.
 */
@NullMarked
package dev.bluebell.uverbs;

import org.jspecify.annotations.NullMarked;
