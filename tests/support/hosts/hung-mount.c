/*
 * A file system that doesn't respond: hung-mount PATH mounts one there and then keeps every call that it gets, statfs and all, as a dead
 * NFS server does. SIGUSR1 makes it answer, those it has kept first: statfs with 1,000 blocks of 4 KiB, half of them free, all else with an
 * input/output error. Needs the right to mount; a user namespace gives it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static int device;
static volatile sig_atomic_t answers = 0;
static struct fuse_in_header kept[1024];
static int count = 0;

static void on_signal(int number) {
  (void)number;
  answers = 1;
}

static void reply(const struct fuse_in_header *in, int error, const void *data, size_t size) {
  char out[4096];
  struct fuse_out_header head = {.len = sizeof head + size, .error = error, .unique = in->unique};
  memcpy(out, &head, sizeof head);
  if (size) memcpy(out + sizeof head, data, size);
  if (write(device, out, head.len) < 0 && errno != ENOENT) perror("reply");
}

static void answer(const struct fuse_in_header *in) {
  struct fuse_statfs_out space = {
      .st = {.blocks = 1000, .bfree = 500, .bavail = 500, .bsize = 4096, .frsize = 4096, .namelen = 255}};
  if (in->opcode == FUSE_STATFS) reply(in, 0, &space, sizeof space);
  else if (in->opcode != FUSE_FORGET && in->opcode != FUSE_INTERRUPT) reply(in, -EIO, 0, 0);
}

int main(int argc, char **argv) {
  char options[128];
  static char buffer[1 << 18];
  if (argc != 2) return 2;
  device = open("/dev/fuse", O_RDWR);
  if (device < 0) return perror("/dev/fuse"), 1;
  snprintf(options, sizeof options, "fd=%d,rootmode=40755,user_id=%d,group_id=%d,allow_other", device, getuid(), getgid());
  if (mount("hung", argv[1], "fuse.hung", MS_NOSUID | MS_NODEV, options)) return perror("mount"), 1;
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, 0);
  for (;;) {
    struct pollfd wait = {.fd = device, .events = POLLIN};
    int ready = poll(&wait, 1, 100);
    if (answers) {
      for (int at = 0; at < count; at++) answer(&kept[at]);
      count = 0;
    }
    if (ready <= 0) continue;
    ssize_t got = read(device, buffer, sizeof buffer);
    if (got < 0) {
      if (errno == ENODEV) return 0;
      if (errno == EINTR || errno == ENOENT || errno == EAGAIN) continue;
      return perror("read"), 1;
    }
    struct fuse_in_header in;
    memcpy(&in, buffer, sizeof in);
    if (in.opcode == FUSE_INIT) {
      struct fuse_init_in *init = (struct fuse_init_in *)(buffer + sizeof in);
      struct fuse_init_out out = {.major = FUSE_KERNEL_VERSION,
                                  .minor = FUSE_KERNEL_MINOR_VERSION,
                                  .max_readahead = init->max_readahead,
                                  .max_write = 4096};
      reply(&in, 0, &out, sizeof out);
      puts("mounted");
      fflush(stdout);
    } else if (answers) answer(&in);
    else if (count < 1024 && in.opcode != FUSE_INTERRUPT) kept[count++] = in;
  }
}
