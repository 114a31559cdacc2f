// Shows a notice that it is one's move, and opens the table when it is clicked.
addEventListener("push", (event) => {
  const note = event.data ? event.data.json() : {};
  event.waitUntil(registration.showNotification(note.title || "Elysian", { body: note.body || "", icon: "/icon.svg", tag: note.table || "elysian", data: note.table }));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = event.notification.data ? "/t/" + event.notification.data : "/";
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((open) => {
      const here = open.find((one) => new URL(one.url).pathname === path);
      return here ? here.focus() : clients.openWindow(path);
    }),
  );
});
